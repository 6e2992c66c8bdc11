#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "sim/bodies/partition.h"
#include "sim/cuda/driver/device.h"
#include "sim/cuda/launch/launch.h"
#include "sim/cuda/launch/part_map.h"
#include "sim/cuda/launch/state_kernels.h"
#include "sim/cuda/memory/device_state.h"
#include "sim/cuda/schedules/step_graph.h"
#include "sim/cuda/schedules/timeline_recorder.h"
#include "sim/cuda/schedules/work_queue.h"
#include "sim/cuda/schedules/work_table.h"
#include "sim/cuda/worker/divided_steps.h"
#include "sim/cuda/worker/engine_settings.h"
#include "sim/cuda/worker/force_work.h"
#include "sim/engines/engine_state.h"
#include "sim/engines/packed_bodies.h"
#include "sim/physics/integrators/integrator.h"

namespace orrery::sim::cuda {

/// The way in which every GPU writes its bodies of the last complete step, 4 floats a body.
struct BodyWrite {
  /// The update after the last forces where it is still to be done: it writes the bodies on its way.
  std::optional<MotionUpdate> update = std::nullopt;
  bool counts_map = false;                          ///< with the update, the activity map
  bool from_backup = false;                         ///< a step is under way: as the bodies were before it
  std::optional<VertexFrame> frame = std::nullopt;  ///< the numbers are those seen in it
  bool has_begun = false;  ///< set by the first GPU that writes: the update is not to be done again
};

/// The update that moves the targets before a force evaluation, after the kick that the step before left
/// over.
struct UpdateBefore {
  MotionUpdate coefficients;
  double last_kick = 0.0;
};

/// One GPU's part of a simulation: the bodies it holds, and how their steps are queued on its streams. The
/// engine has one for each GPU and asks all of them for the same things in turn; nothing here waits for the
/// GPU unless it says so.
///
/// Indices are local (0 is the first body held) except where a name says global. Every public function makes
/// the device's context current.
class GpuWorker {
 public:
  explicit GpuWorker(int ordinal);
  GpuWorker(const GpuWorker&) = delete;
  GpuWorker& operator=(const GpuWorker&) = delete;
  /// Waits for the device.
  ~GpuWorker();

  void make_current() const { context_.make_current(); }
  /// Waits for all that the main stream has queued. Throws Error: `what` failed.
  void wait(const char* what) const;
  const DeviceInfo& info() const { return context_.info(); }
  CUcontext context() const { return context_.native(); }
  ModuleCache& modules() { return modules_; }
  Streams& streams() { return streams_; }
  WorkQueue& queue() { return queue_; }
  TimelineRecorder& timeline() { return timeline_; }
  const StepGraph& graph() const { return graph_; }
  const Module* module() const { return module_.get(); }
  const Partition& share() const { return share_.partition(); }
  std::size_t bodies() const { return share_.bodies(); }
  std::size_t galaxies() const { return share_.galaxies(); }
  const DeviceState& state() const { return state_; }
  CUdeviceptr accelerations() const { return accelerations_.pointer(); }
  /// Targets as a local range.
  BodyRange targets() const { return share_.targets(); }
  /// Ordered pairs per force evaluation; for approximate families the interactions that the last one
  /// evaluated, or a guess before the first.
  double interactions() const { return share_.interactions(); }
  /// Counters of the last evaluation by an approximate family, a step late; zeros for others.
  ForceCounts counts() const { return counter_.counts(); }
  std::size_t device_bytes() const;

  /// Memory for the packed form of all bodies held: positions, then velocities, 4 floats each.
  CUdeviceptr packed_position();
  CUdeviceptr packed_velocity() { return packed_position() + 4 * sizeof(float) * bodies(); }

  /// Sets the share of a dataset with these galaxies, of which these bodies exert forces (sources_of).
  /// Forgets the state.
  void set_partition(const Partition& share, std::span<const GalaxyRange> global_galaxies,
                     std::span<const GalaxyRange> global_sources);
  /// Sets the settings and the module of their kernel.
  void use(const EngineSettings& settings, std::shared_ptr<const Module> module);
  /// Makes room for state, accelerations and the tables of the launches. Throws Error: out of memory.
  void allocate();
  /// Makes room for what a force evaluation needs besides. Throws Error: out of memory.
  void allocate_scratch();

  /// A copy of packed bodies that are already in device memory (local order) into the state.
  void unpack(CUdeviceptr position, CUdeviceptr velocity, CUstream stream, BodyRange bodies);
  /// Positions and velocities of the targets, or of some bodies, into `position`, `velocity` (4 floats a
  /// body, addressed by body 0); the latter of the present state, or the fused kernel's other buffer.
  void write(BodyWrite& write, CUdeviceptr position, CUdeviceptr velocity);
  void publish_range(CUdeviceptr position, CUdeviceptr velocity, CUstream stream, BodyRange bodies,
                     bool other_buffer = false) const;

  /// Moves the targets, in the main stream, after a kick of `last_kick` that was left from the step before;
  /// writes vertices (of body 0; 0: none) on the way. `counts`: the activity map of the moved bodies too.
  void update(const MotionUpdate& c, CUdeviceptr position, CUdeviceptr velocity, double last_kick = 0.0,
              bool counts = false);
  /// Sets the activity map for that many bodies; size 0: no map. Throws Error: out of memory.
  void use_map(const MapSpec& spec, std::size_t all_bodies);
  /// Counts the activity map of the present state or of the backup.
  void count_map(bool from_backup);
  PartMap& map() { return map_; }
  void keep_backup();
  void drop_backup() { has_backup_ = false; }
  /// Restores the state that keep_backup() saved.
  void restore_backup();

  // Adaptive steps, which are made in parts.
  /// Sets the fraction of a step by which updates advance.
  void set_part_of_step(double part) { part_of_step_ = part; }
  /// Saves the bodies and their forces at the begin of a part of the step. Throws Error: out of memory.
  void keep_part();
  /// Restores the bodies to the state saved by keep_part().
  void restore_part();
  /// Queues the search for the largest acceleration of the targets.
  void measure_acceleration();
  const PartOfStep& part() const { return part_; }

  // block time steps.
  /// Allocates what block time steps need. Throws Error: out of memory.
  void allocate_block_steps();
  /// Queues the kicks of this block time and the drift to the next one.
  void advance_block_steps(const StepMoment& moment);
  const BlockSteps& block_steps() const { return block_steps_; }
  /// Begins the next block time, once it is known: from now on forces are those on its active bodies. Returns
  /// it, in units of the shortest step.
  index_t take_block_time();
  /// Ends a block time, once its forces are queued: forces are on all bodies again.
  void end_block_time();

  /// Says if the next evaluation may reuse the cells of earlier trees, if they exist; otherwise it builds new
  /// ones.
  void keep_cells(bool may);
  /// Does what may fail before an evaluation begins: captures its graph. `update` (or nullptr) goes
  /// into the graph too, where the times between it and the forces are not asked for.
  void prepare(bool moves, int step, const UpdateBefore* update);
  /// True if the update is in the graph of the evaluation that was prepared.
  bool graph_updates() const { return evaluation_.graph_update.has_value(); }
  /// Begins a force evaluation: stamps. Forces follow; with `moves` each galaxy's update after its forces,
  /// on its stream.
  void begin_evaluation(int step, bool updates);
  void begin_forces(bool moves);
  /// True if the last evaluation that began moves each galaxy after its forces.
  bool moves_galaxies() const { return evaluation_.moves; }
  /// Queues some of the work, about `most_interactions`; true when all of it is queued. `moves` as before.
  bool queue_forces(double most_interactions);
  /// The part of the work of the evaluation under way that is queued, 0 to 1.
  double queued_part() const;
  /// Domains: queues kernels of the forces, which have scratch memory there.
  void queue_domain(CUdeviceptr scratch, const std::function<void(ForceQueue&)>& kernels);
  /// Ends queue_domain(): all kernels of the domain's forces are queued.
  void end_domain();
  /// Approximate families: takes over what the last evaluation that is done has counted.
  void read_counts();
  /// Ends a force evaluation, once all is queued: joins the streams and stamps.
  void end_evaluation();
  /// Fused: the buffers take turns.
  void swap_states();
  /// Fused: what forces that are queued from now on do besides.
  FusedSteps& fused() { return fused_; }

  // The pieces that the offline pipeline orders by itself. `k` counts the galaxies that are held here; or
  // it is all of them, in one launch.
  static constexpr std::size_t all_galaxies = static_cast<std::size_t>(-1);
  /// The targets of galaxy k.
  BodyRange bodies_of(std::size_t k) const;
  int global_galaxy(std::size_t k) const {
    return k == all_galaxies ? -1 : static_cast<int>(share_.first_galaxy() + k);
  }
  /// The stream number and stream of a galaxy under the present schedule.
  int stream_number(std::size_t k) const;
  CUstream stream_of(std::size_t k) const;
  /// One evaluation's forces of galaxy k; fused kernels read the other buffer where `other_buffer` is set.
  void galaxy_forces(std::size_t k, int step, bool other_buffer = false);
  /// `counts`: an update that counts adds the galaxy to the map.
  void galaxy_update(std::size_t k, int step, const MotionUpdate& c, bool counts = false);
  /// Adds bodies of the present state, or of the fused kernel's other buffer, to the map.
  void add_to_map(BodyRange bodies, CUstream stream, bool other_buffer) const;
  void set_constants();

  /// Adds the bodies held to a state, with the bits that the kernels compute with; waits. `from_backup`: as
  /// they were when the backup was kept. `number`: of this part, for the arrays' names.
  void save(EngineState& state, const std::string& number, bool from_backup);
  /// Restores a saved state into memory that is already allocated. Blocks. Returns false if the state was
  /// saved with other settings; the caller must then upload the bodies.
  bool restore(const EngineState& state, const std::string& number);

 private:
  ForceLauncher launcher(CUstream stream, CUdeviceptr scratch, bool other_buffer = false,
                         bool kept = false) const;
  class ForcesOnTimeline;
  StateKernels kernels(CUstream stream, BodyRange bodies) const;
  void move(const StateKernels& moved, const MotionUpdate& c, double last_kick, CUdeviceptr position,
            CUdeviceptr velocity, bool counts) const;
  void choose_sources();
  double queued_share() const;
  void compensate();
  void keep_begin();
  void release_other_steps();
  double step() const { return settings_->physics.time_step * part_of_step_; }
  PartOfStep::Now now() { return {state_, low_, accelerations_}; }
  void place_scratch();
  /// True if each galaxy has scratch memory of its own, with cells that can be kept.
  bool has_kept_cells() const;
  std::size_t wave() const;
  double least_rate() const;
  std::size_t slice_rows(double most_interactions) const;
  void launch_items(std::size_t first, std::size_t last, bool other_buffer);
  void launch_all(bool other_buffer);
  bool queue_slice(double most_interactions);
  bool queue_items(double most_interactions);
  bool queue_whole_galaxies(double most_interactions);
  void with_graph(bool runs);
  bool queue_graph();
  void queue_everything();
  void finish_galaxy(std::size_t k);
  StepGraph::Key graph_key() const;

  Context context_;
  ModuleCache modules_;
  Streams streams_;
  WorkQueue queue_;
  TimelineRecorder timeline_;
  LaunchWatch* watch_ = nullptr;  ///< while forces are queued and a timeline is recorded
  StepGraph graph_;
  std::optional<EngineSettings> settings_;
  std::shared_ptr<const Module> module_;

  WorkerShare share_;
  DeviceState state_;
  KeptBodies backup_;
  bool has_backup_ = false;
  DeviceMemory low_;           ///< low-order parts of a compensated state, 6 floats per body
  DeviceMemory jerks_, kept_;  ///< jerks and saved state, for integrators that need them (StateKernels)
  PartOfStep part_;            ///< substep of an adaptive step
  BlockSteps block_steps_;     ///< block time steps of the bodies
  double part_of_step_ = 1.0;
  FusedSteps fused_;
  PartMap map_;
  ForceCounter counter_;
  DeviceMemory accelerations_, galaxy_starts_, packed_;
  ForceScratch scratch_;
  TableOnGpu table_;

  /// The force evaluation under way.
  struct Evaluation {
    std::optional<UpdateBefore> graph_update;  ///< the update before the forces, where the graph has it
    bool moves = false;                        ///< each galaxy is updated after its forces
    ForceProgress queued;
    int step = 0;  ///< for the timeline
  };
  Evaluation evaluation_;
};

/// Queues a copy between the memories of two GPUs, or within that of one; where the hardware has no way
/// between the two, the driver takes the one through the host's page-locked memory. `stream` may be of
/// either. Throws Error: `what` failed.
void copy_between(const GpuWorker& to, CUdeviceptr there, const GpuWorker& from, CUdeviceptr here,
                  std::size_t bytes, CUstream stream, const char* what);

}  // namespace orrery::sim::cuda
