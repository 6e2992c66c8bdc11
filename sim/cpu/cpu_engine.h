#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "sim/activity/activity_map.h"
#include "sim/activity/map_options.h"
#include "sim/cpu/active_forces.h"
#include "sim/cpu/cpu_options.h"
#include "sim/cpu/kernel.h"
#include "sim/cpu/motion_arrays.h"
#include "sim/cpu/thread_binding.h"
#include "sim/cpu/tree/curve_share.h"
#include "sim/engines/engine.h"
#include "sim/options/physics_options.h"
#include "sim/options/tree_options.h"
#include "sim/physics/integrators/block_levels.h"
#include "sim/step/stepper.h"

namespace orrery::sim {

/// The samples of a step that others requested from the CPU engine and have not taken yet.
class RequestedSamples {
 public:
  void request(const SampleRequest& wanted) {
    const bool timeline = wants_timeline() || wanted.timeline;
    if (wanted.forces > 0) wanted_ = wanted;
    wanted_.timeline = timeline;
  }
  bool wants_forces() const { return wanted_.forces > 0; }
  const SampleRequest& wanted() const { return wanted_; }
  bool wants_timeline() const { return wanted_.timeline; }

  void give(ForceSample sample) { ready_.forces = std::move(sample); }
  void give(Timeline timeline) {
    ready_.timeline = std::move(timeline);
    wanted_.timeline = false;
  }
  /// Forces that are asked for from now on are those of the next step.
  void end_step() { wanted_ = {.timeline = wanted_.timeline}; }
  /// Drops the sample of forces, because other bodies were loaded.
  void drop_forces() { ready_.forces.reset(); }
  Samples take() { return std::exchange(ready_, {}); }

 private:
  SampleRequest wanted_;  ///< forces: 0 if none are
  Samples ready_;
};

/// The options as numbers, read once when they change.
struct CpuSettings {
  const CpuKernel* kernel = nullptr;
  const InstructionSet* instructions = nullptr;
  int threads = 1;
  Binding binding = Binding::none;
  Physics physics;
  bool compensated = false;
  TreeSettings tree;
  FieldAt field;

  explicit CpuSettings(const Configuration& configuration)
      : CpuSettings(configuration, cpu_options(configuration)) {}
  CpuSettings(const Configuration& configuration, const CpuOptions& options)
      : kernel(find_cpu_kernel(options.kernel)),
        instructions(&instruction_set(options.instructions)),
        threads(options.threads),
        binding(kernel->threaded ? binding_named(options.binding) : Binding::none),
        physics(physics_of(configuration)),
        compensated(is_compensated(configuration)),
        tree(tree_settings(configuration)),
        field(physics.field_at()) {}

  bool jerks() const { return physics.integrator->has_jerks(); }
  /// True if forces depend on velocities, or what is summed with them does.
  bool needs_velocities() const { return physics.law->uses_charges || jerks(); }
  bool planar() const { return physics.dimensions == 2; }
  bool adaptive() const { return physics.step->parts == StepParts::shared; }
  bool blocks() const { return physics.step->parts == StepParts::own; }
  /// External field; nullptr: none.
  const FieldAt* acting_field() const { return field.field->acts() ? &field : nullptr; }
  /// The duration of a step, rounded like the state: a single-precision state moves by a single-precision
  /// step.
  double step() const {
    return compensated ? physics.time_step : static_cast<double>(static_cast<float>(physics.time_step));
  }
};

/// The CPU engine: what it holds and shows (cpu_engine.cpp), and the passes of its steps
/// (cpu_engine_steps.cpp).
class CpuEngine final : public Engine, private StepDevice, private PartDevice, private BlockDevice {
 public:
  explicit CpuEngine(const OptionTable& options) : settings_(options.defaults()) { use_physics(); }

  const EngineKind& kind() const override;

  void load(const Bodies& bodies, double time) override;
  void set_partition(BodyRange targets, StateExchange& exchange) override;
  void configure(const Configuration& configuration) override;
  bool advance(const WorkBudget& budget) override;
  void write_vertices(const VertexTarget& target) override;
  MapSpec map() const override { return map_.spec(); }
  void read_back(Bodies& bodies) override;
  EngineState save_state() override;
  bool restore_state(const EngineState& state) override;

  EngineStatus status() const override {
    return {.time = stepper_.time(), .steps = stepper_.steps(), .timings = timings_};
  }
  EngineReport report() const override;
  void observe(const SampleRequest& wanted) override { samples_.request(wanted); }
  Samples poll() override { return samples_.take(); }

 private:
  void begin_step(bool with_forces) override;
  void begin_pass(const Pass& pass) override;
  Outcome compute_forces(const WorkBudget& budget) override;
  void end_part(const MotionUpdate& last, const Pass& pass) override;
  void end_step() override;
  bool give_up_step() override;
  PartDevice& parts() override { return *this; }
  BlockDevice& blocks() override { return *this; }
  void keep_part() override;
  void restore_part() override;
  void measure_acceleration() override {}
  std::optional<double> largest_acceleration(bool wait) override;
  void begin_block_steps() override;
  void advance_block_steps(std::uint32_t now, bool ends, bool begins) override;
  std::optional<BlockTime> next_block_time(bool wait) override;
  void end_block_time(bool ends_step) override;

  void use_physics() { stepper_.configure(*this, settings_.physics, settings_.step()); }
  bool keeps_cells() const;
  ForceProblem force_problem(const MotionArrays& motion, const std::atomic<bool>* interrupt);
  Motion motion_between(const MotionArrays& begin, MotionArrays& end);
  void enter_plane();
  void share(MotionArrays& motion);
  void find_sources();
  void count_interactions();
  bool evaluate(const ForceProblem& problem);
  bool evaluate_active(const std::atomic<bool>* interrupt);
  /// The number of threads for passes over all bodies.
  int move_threads() const { return settings_.kernel->threaded ? settings_.threads : 1; }
  bool (*own_step() const)(StepProblem&);
  const MotionArrays& begin_of_part() const;
  void note(TimelineKind activity, StepPart::Clock::time_point start, double interactions = 0.0);
  void move(const MotionUpdate& update, double part);
  void kick_active(const Motion& motion) const;
  void choose_levels(const Motion& motion);
  void count(const std::vector<StepPart>& parts);
  void sample_forces(const MotionArrays& motion);
  void record_step(const std::vector<StepPart>& parts);
  void publish_map(const VertexTarget& target);

  CpuSettings settings_;
  Stepper stepper_;
  Pass pass_;           ///< the force evaluation under way
  MotionArrays state_;  ///< the last complete step
  MotionArrays next_;   ///< the step in the making
  std::vector<Vec3> acceleration_;
  std::vector<Vec3> jerk_;   ///< jerks belonging to acceleration_, for methods with jerks; empty otherwise
  KeptForces kept_;          ///< forces with which the step under way began
  bool kept_cells_ = false;  ///< cells_are_kept_ where it began
  KeptPart part_;
  StepSums sums_;
  BlockLevels levels_;  ///< levels of the last step=block step
  ActiveForces active_forces_;
  StepPart::Clock::time_point block_begin_;  ///< begin of the present motion between two block times
  std::vector<StepPart> done_;               ///< phases of the step under way so far
  std::vector<float> mass_;
  std::vector<float> charge_;
  std::vector<GalaxyRange> galaxies_;
  /// The bodies of each galaxy that act as sources under the law in force.
  std::vector<GalaxyRange> sources_;
  std::vector<Vec3> scratch_;
  std::unique_ptr<KernelMemory> memory_;
  bool cells_are_kept_ = false;  ///< memory_ has those of these bodies, by the present settings
  BodyRange targets_;            ///< the bodies to move: all, or a share
  /// State exchange with the other workers, if this engine has a share of the bodies.
  StateExchange* exchange_ = nullptr;
  std::optional<CurveShare> curve_;  ///< partition along the curve, for kernels that cut the work themselves
  StepTimings timings_;
  ChosenMap map_;
  MapCounter map_counter_;
  RequestedSamples samples_;
};

}  // namespace orrery::sim
