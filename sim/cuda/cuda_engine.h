#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/core/error.h"
#include "sim/cuda/driver/device.h"
#include "sim/cuda/memory/force_sampler.h"
#include "sim/cuda/multi_gpu/body_exchange.h"
#include "sim/cuda/multi_gpu/body_transfer.h"
#include "sim/cuda/multi_gpu/domain_team.h"
#include "sim/cuda/multi_gpu/galaxy_cut.h"
#include "sim/cuda/multi_gpu/gpu_loss.h"
#include "sim/cuda/multi_gpu/team_map.h"
#include "sim/cuda/multi_gpu/team_timings.h"
#include "sim/cuda/multi_gpu/tree_exchange.h"
#include "sim/cuda/worker/engine_settings.h"
#include "sim/cuda/worker/gpu_worker.h"
#include "sim/engines/engine.h"
#include "sim/step/stepper.h"

// The CUDA engine, in five files: what it holds and by which options (cuda_engine.cpp), the
// passes of its steps (cuda_engine_steps.cpp), those where the host moves the bodies
// (cuda_engine_round_trip.cpp), what others get to see of it, and checkpoints keep (cuda_engine_views.cpp),
// and one galaxy in domains (cuda_engine_domains.cpp).
namespace orrery::sim::cuda {

/// The vertex buffer that is offered to steps, which may write their end there on the way; whether the last
/// complete step did; and which kernel wrote what was drawn last. Owns no memory.
class StepVertices {
 public:
  void offer(const VertexTarget& target) { offered_ = target; }
  /// The target is drawn now: no other step may write there.
  void take_back() {
    offered_ = {};
    forget();
  }
  /// Forgets which targets were written, because the bodies changed.
  void forget() { of_step_ = of_last_ = nullptr; }
  /// Begins a force evaluation. Returns the offered target if the step may write that many bodies there, or
  /// nullptr.
  const VertexTarget* begin(bool may_write, std::size_t bodies) {
    forget();
    const bool fits = offered_.space == VertexTarget::Space::device && offered_.bodies >= bodies;
    if (may_write && fits) of_step_ = offered_.position;
    return of_step_ == nullptr ? nullptr : &offered_;
  }
  void end_step() { of_last_ = std::exchange(of_step_, nullptr); }
  /// True if the last complete step has written its end there.
  bool are_in(const VertexTarget& target) const { return of_last_ != nullptr && of_last_ == target.position; }

  void note_writer(std::string_view kernel) { writer_ = kernel; }
  std::string_view writer() const { return writer_; }

 private:
  VertexTarget offered_;
  const float* of_step_ = nullptr;  ///< positions of the target that the step under way writes
  const float* of_last_ = nullptr;  ///< the same of the last complete step
  std::string_view writer_;
};

/// Steps bodies on one GPU or several: asks the part of each device for the same things in turn.
class CudaEngine final : public Engine,
                         private TeamEngine,
                         private StepDevice,
                         private PartDevice,
                         private BlockDevice {
 public:
  /// The kind is the one of real GPUs or the one of emulated ones.
  explicit CudaEngine(const EngineKind& kind);

  const EngineKind& kind() const override { return kind_; }
  void load(const Bodies& bodies, double time) override;
  void configure(const Configuration& configuration) override;
  TeamEngine* team_engine() override { return this; }
  bool advance(const WorkBudget& budget) override;
  void set_next_target(const VertexTarget& target) override { vertices_.offer(target); }
  bool writes_in_passing() const override;
  void write_vertices(const VertexTarget& target) override;
  MapSpec map() const override { return on_device() ? map_.counted() : map_.spec(); }
  ~CudaEngine() override;
  void read_back(Bodies& bodies) override;
  EngineState save_state() override;
  bool restore_state(const EngineState& state) override;
  void finish() override;
  EngineStatus status() const override {
    return {.time = stepper_.time(), .steps = stepper_.steps(), .timings = timings_.all()};
  }
  EngineReport report() const override;
  void observe(const SampleRequest& wanted) override;
  Samples poll() override;

 private:
  /// Where the last complete step is.
  enum class Place {
    host,
    device,
    before_update  ///< on the devices, where the update after the forces is still to move the bodies
  };
  /// What becomes of the state before a step, while that is made.
  enum class Backup { none, wanted, kept };

  const EngineKind& kind_;
  bool on_device() const { return place_ != Place::host; }
  bool update_pending() const { return place_ == Place::before_update; }
  std::size_t count() const { return host_.size(); }
  /// The device that draws and, with one device, computes.
  GpuWorker& home() const { return *parts_.front(); }
  void make_parts(const std::vector<int>& devices);
  void copy_to_host(const Bodies& bodies);
  void choose_settings();
  void choose_device();
  bool ensure_modules(bool wait);
  void apply(const EngineSettings& settings, std::vector<std::shared_ptr<const Module>> modules);
  void enter_plane();
  void share_out();
  std::vector<double> weights_of_parts() const;
  void join(Communicator& ranks, bool in_domains) override;
  std::span<const std::uint32_t> moved_bodies() const override { return team_.moved_bodies(); }
  bool should_cut() const override;
  void cut_again() override;
  void refuse_sharing(const EngineSettings& settings) const;
  void hold_bodies(std::span<const Partition> shares);
  void share_domains();
  void drop_shares();
  void save_domains(EngineState& state);
  void upload();
  void pull();
  template <typename Transfer>
  void write_bodies(const std::optional<VertexFrame>& frame, Transfer transfer);
  void note(const BodyWrite& write);
  void publish_on_device(const VertexTarget& target);
  void flush_update();
  void count_map_if_stale();
  void publish_map(const VertexTarget& target);
  void note_moved() const;
  bool next_update_takes_kick() const;
  bool may_fail_halfway() const;
  bool keeps_cells() const;
  void begin_evaluation();
  double slice_ms(bool wait) const { return wait ? 1e300 : settings_->slice_ms; }
  bool longer_than_a_slice() const;
  bool queues_full(bool wait);
  double part_queued() const;
  bool queue_forces(double most_ms);
  void end_evaluation();
  bool is_adaptive() const { return settings_->kernel.adaptive; }
  bool has_block_steps() const { return settings_->kernel.block_steps; }
  /// True if steps are more than one row of evaluations: the host looks at numbers in between.
  bool looks_between() const { return is_adaptive() || has_block_steps(); }
  bool is_measured(bool wait) const;

  // Passes of the Stepper, for bodies in device memory.
  bool has_room(bool wait) override;
  bool may_leave_step() const override { return !stepper_.within_part() || backup_ == Backup::kept; }
  void prepare_step(bool wait) override;
  void begin_step(bool with_forces) override;
  void begin_pass(const Pass& pass) override;
  Outcome compute_forces(const WorkBudget& budget) override;
  void end_part(const MotionUpdate& last, const Pass& pass) override;
  void end_step() override;
  void after_step() override;
  bool give_up_step() override;
  PartDevice& parts() override { return *this; }
  BlockDevice& blocks() override { return *this; }
  void keep_part() override;
  void restore_part() override;
  void measure_acceleration() override;
  std::optional<double> largest_acceleration(bool wait) override;
  void begin_block_steps() override;
  void advance_block_steps(std::uint32_t now, bool ends, bool begins) override;
  std::optional<BlockTime> next_block_time(bool wait) override;
  void end_block_time(bool ends_step) override;

  void check_progress();
  void sample_forces();
  void stop_timeline();
  std::string failed_devices() const;
  [[noreturn]] void explain_loss(const Error& error);
  std::string form_of_state() const;
  bool has_published();
  void add_sharing(EngineReport& report) const;
  void add_domains(EngineReport& report) const;
  void add_interactions(EngineReport& report) const;
  void add_memory(EngineReport& report) const;
  void synchronize();
  /// True if what is summed depends on the velocities of others.
  bool needs_velocities() const { return settings_->physics.law->uses_charges || settings_->kernel.jerks; }
  bool fuses_ahead() const { return settings_->kernel.updates() && settings_->integrator().fuses_ahead(); }
  void set_fused();
  void add_launches(EngineReport& report) const;

  std::optional<Configuration> configuration_;  ///< as asked for last
  std::optional<EngineSettings> wanted_;        ///< becomes settings_ when its kernel is compiled
  std::optional<EngineSettings> settings_;      ///< settings in force

  Bodies host_;  ///< masses, and the state while that is on the host
  std::vector<GalaxyRange> galaxies_;
  /// The update waits for write_vertices(), which may use it to write vertices, or for the next step.
  Place place_ = Place::host;
  std::vector<std::unique_ptr<GpuWorker>> parts_;
  std::vector<GpuWorker*> active_;  ///< workers with bodies to move
  TeamTimings timings_;
  std::unique_ptr<BodyTransfer> port_;
  std::unique_ptr<BodyExchange> exchange_;  ///< exchange of bodies, if several devices share a galaxy
  std::unique_ptr<TreeExchange> domains_;   ///< exchange of cells and bodies of domains
  DomainTeam team_;                         ///< the processes whose GPUs have domains too
  GalaxyCut cut_;                           ///< the domains' bodies
  GpuLoss loss_;
  class RoundTrip;
  std::unique_ptr<RoundTrip> round_trip_;  ///< makes the steps if the host moves the bodies
  StepVertices vertices_;
  EventTimer publishing_;  ///< the last write of vertices into device memory
  TeamMap map_;

  Stepper stepper_;
  Pass pass_;  ///< the force evaluation under way
  Backup backup_ = Backup::none;

  ForceSampler sampler_;
  TeamTimeline timeline_;
};

/// Starts CUDA on the devices of a configuration and compiles its kernel into the cache on disk. Any thread.
/// Throws Error.
void prepare(const Configuration& configuration);

/// Steps of the reports' round trips: the host holds the bodies and moves them, and GPUs only compute
/// accelerations; or, as in ECE415 2022, GPUs also change the velocities. Works on the engine's bodies.
class CudaEngine::RoundTrip final : public StepDevice {
 public:
  explicit RoundTrip(CudaEngine& engine) : engine_(engine) {}

  /// Makes one whole step, whatever the budget.
  bool advance(const WorkBudget& budget);
  /// Forgets what is in device memory, because the host's bodies were replaced.
  void forget() { velocities_on_device_ = false; }
  /// The accelerations of the last evaluation.
  std::vector<Vec3>& accelerations() { return acceleration_; }

  void begin_step(bool with_forces) override;
  void begin_pass(const Pass& pass) override;
  Outcome compute_forces(const WorkBudget& budget) override;
  void end_part(const MotionUpdate& last, const Pass& pass) override;
  void end_step() override;
  bool give_up_step() override;

 private:
  float step() const { return static_cast<float>(engine_.settings_->physics.time_step); }
  void move(const MotionUpdate& update);
  void queue_forces(bool positions_only);
  void evaluate(bool sampled);
  void kick_on_device();

  CudaEngine& engine_;
  Pass pass_;
  bool begun_ = false;                 ///< the state before the step is kept
  bool velocities_on_device_ = false;  ///< the host's velocities are in device memory, too
  std::vector<Vec3> acceleration_;
  std::vector<Vec3> position_before_, velocity_before_;  ///< the last complete step
  std::vector<DVec3> position_slope_, velocity_slope_;   ///< of methods with slopes, else empty
};

}  // namespace orrery::sim::cuda
