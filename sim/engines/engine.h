#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "sim/activity/activity_map.h"
#include "sim/bodies/bodies.h"
#include "sim/bodies/partition.h"
#include "sim/core/error.h"
#include "sim/engines/engine_report.h"
#include "sim/engines/engine_state.h"
#include "sim/engines/packed_bodies.h"
#include "sim/engines/timeline.h"
#include "sim/options/configuration.h"
#include "sim/physics/diagnostics/force_error.h"

namespace orrery::sim {

/// Exchange of body states between the workers that share a galaxy. Every worker makes the same calls in the
/// same order; each call waits for all.
class StateExchange {
 public:
  virtual ~StateExchange() = default;
  virtual std::size_t worker() const = 0;   ///< index of this worker: 0 to workers() - 1
  virtual std::size_t workers() const = 0;  ///< number of workers
  /// `vectors` (positions or velocities) of all bodies: this worker's targets are sent, the others filled in.
  virtual void share(std::span<Vec3> vectors) = 0;
  /// Worker w's vectors [bounds[w], bounds[w + 1]) go to all. `bounds` are the same for all.
  virtual void share(std::span<Vec3> vectors, std::span<const std::size_t> bounds) = 0;
  /// True if `mine` is true for all workers.
  virtual bool all(bool mine) = 0;
};

/// Where an engine publishes a complete step for drawing: two arrays of four floats per body, (x, y, z, mass)
/// and (vx, vy, vz, a.a), a being the acceleration that moved the body last, 0 where there was none. The
/// memory belongs to the owner of the target (a vertex buffer, mapped for the host or for the device, or
/// plain memory); it is written, never read.
struct VertexTarget {
  enum class Space { host, device };
  Space space = Space::host;
  float* position = nullptr;
  float* velocity = nullptr;
  std::size_t bodies = 0;  ///< capacity; must be at least the engine's number of bodies
  /// Device targets: a native event (CUevent) that the device has to pass before it writes here; may be null.
  void* free_event = nullptr;
  /// Where the activity map of the step goes too, in memory of the same space; may be null. `map_header`
  /// floats, of which the first is the largest value of a cell, then map_size x map_size cells, row by row
  /// from the bottom. Written only while the engine counts a map of that size (Engine::map).
  float* map = nullptr;
  std::size_t map_size = 0;
  /// Device targets: the device writes its numbers as seen in this frame; none: as they are.
  std::optional<VertexFrame> frame = std::nullopt;

  /// True if the target has room for this map.
  bool takes(const MapSpec& spec) const { return map != nullptr && spec.size > 0 && map_size == spec.size; }
};

/// The time that `advance` may work before it returns, and a flag with which another thread ends it at once.
/// An engine on a device queues some milliseconds of work whatever the time is, unless that is endless: then
/// it queues whole steps.
struct WorkBudget {
  std::chrono::nanoseconds time = std::chrono::nanoseconds::max();
  const std::atomic<bool>* interrupt = nullptr;
  bool was_idle = false;  ///< the engine was left without work on purpose since the last call
};

/// Costs of the last force evaluation and step. Times are of the engine's own clock (steady clock, CUDA
/// events).
struct StepTimings {
  double force_ms = 0.0;  ///< the last force evaluation (the kernel) whose time is known; 0: none yet
  double update_ms =
      0.0;  ///< integration of velocities and positions, and the exchange of a galaxy that is shared
  double publish_ms = 0.0;        ///< the last publish, with an update that it did on the way
  double map_ms = 0.0;            ///< counting the last activity map whose time is known; 0: none
  double interactions = 0.0;      ///< ordered pairs i<-j of a force evaluation of all bodies, self included
  std::uint64_t evaluations = 0;  ///< force evaluations since load that are known to be done; of short ones
                                  ///< many may be counted at once
  std::uint64_t measured = 0;     ///< number of timed evaluations; a device does not time all short ones
  double measured_ms = 0.0;       ///< the sum of those times
  /// The evaluations, and the measured ones, each counted with the part of `interactions` that it summed: 1,
  /// but less of those that are of some of the bodies (step=block).
  double sums = 0.0, measured_sums = 0.0;

  /// One more evaluation, which took so long and summed that part.
  void add(double milliseconds, double share = 1.0) {
    force_ms = milliseconds;
    ++evaluations, ++measured;
    measured_ms += milliseconds;
    sums += share, measured_sums += share;
  }
  /// Interactions that the evaluations since `before` summed, if each cost as many as those of now.
  double summed_since(const StepTimings& before) const { return interactions * (sums - before.sums); }
  /// Interactions of the timed evaluations since `before`, and below their milliseconds.
  double timed_since(const StepTimings& before) const {
    return interactions * (measured_sums - before.measured_sums);
  }
  double ms_since(const StepTimings& before) const { return measured_ms - before.measured_ms; }
};

/// Progress of an engine.
struct EngineStatus {
  double time = 0.0;        ///< simulated time of the last complete step
  std::uint64_t steps = 0;  ///< complete steps since load
  StepTimings timings;
};

/// A request for samples of the next step.
struct SampleRequest {
  std::size_t forces = 0;  ///< a sample of that many accelerations out of the next force evaluation; 0: none
  std::uint64_t seed = 0;  ///< seed of the random selection
  bool timeline = false;   ///< a timeline of the next step; engines without timelines deliver none
  /// The bodies to sample instead of `forces` drawn ones, if it was made for as many bodies as the engine
  /// has; the heaviest come as well (sampled_bodies).
  std::shared_ptr<const StratifiedSample> plan = nullptr;
};

/// The requested samples that have arrived.
struct Samples {
  bool published = true;              ///< the last target of write_vertices() has its bodies
  std::optional<ForceSample> forces;  ///< once the force evaluation is complete
  std::optional<Timeline> timeline;   ///< once the step is done
};

class Communicator;
class Engine;

/// Description and factory of an engine; one line in sim/simulation/engine_registry.cpp registers it.
struct EngineKind {
  std::string_view name;  ///< as in --set engine=NAME
  std::string_view meaning;
  /// The kind of target that write_vertices() prefers. An engine on a device also writes into host memory, by
  /// a copy.
  VertexTarget::Space target_space;
  /// Empty if it can run on this machine, otherwise why not and what would help.
  std::string (*unavailable)();
  std::unique_ptr<Engine> (*make)(const OptionTable& options);
  /// Does ahead, on any thread, what an engine of this configuration takes to start and needs no bodies for.
  /// nullptr: nothing of that kind takes long. Throws Error.
  void (*prepare)(const Configuration& configuration) = nullptr;
  /// The engine never computes by default, even where it can run.
  bool only_if_asked_for = false;
};

/// The engines of this program: with OpenMP on the CPU; with kernels compiled at run time on an NVIDIA GPU;
/// and with these kernels on a GPU that the CPU emulates. A process can use only one of the last two,
/// whichever it uses first.
extern const EngineKind cpu_engine_kind, cuda_engine_kind, emulated_engine_kind;

/// An engine that loads all bodies in every process, and shares them with the engines of the others: whole
/// galaxies excepted. Positions, velocities, samples and maps that it gives are valid for the bodies that it
/// moves.
class TeamEngine {
 public:
  virtual ~TeamEngine() = default;
  /// Declares the loaded bodies to be shared with the engines of other processes. Call right after
  /// Engine::load, which cancels it. `ranks` must live until then. `in_domains`: each engine computes the
  /// bodies of domains, of which others get parts of a tree; else bodies whose positions all get. Throws
  /// UsageError where the options cannot be shared so.
  virtual void join(Communicator& ranks, bool in_domains) = 0;
  /// The bodies of the dataset that this engine moves; none before it has shared them.
  virtual std::span<const std::uint32_t> moved_bodies() const = 0;
  /// True if it is worth it to cut the domains anew, for all engines of the team or for none.
  virtual bool should_cut() const = 0;
  /// Cuts the galaxy again, between two steps. All engines of the team do it together.
  virtual void cut_again() = 0;
};

/// Advances bodies. Implemented by each engine (cpu, cuda); one test suite runs over all of them.
///
/// Used by one thread at a time. A step may be cut into several calls of `advance`; between calls the
/// positions and velocities that write_vertices() and read_back() give are those of the last complete step.
class Engine {
 public:
  virtual ~Engine() = default;

  virtual const EngineKind& kind() const = 0;  ///< kind and name of the engine

  /// Takes a copy of the bodies and starts at simulated time `time`. Throws Error if they do not fit in
  /// memory; the engine then still has what it had before.
  virtual void load(const Bodies& bodies, double time) = 0;
  /// Restricts the engine to the bodies `targets`; the other loaded bodies exert forces, and their state
  /// arrives through `exchange` before each force evaluation. Call it right after `load`, which ends the
  /// restriction; `exchange` must outlive it. Afterwards write_vertices(), read_back() and samples are valid
  /// for the targets only. Throws UsageError if this engine, or its kernel, computes whole galaxies only.
  virtual void set_partition(BodyRange /*targets*/, StateExchange& /*exchange*/) {
    throw UsageError(
        "the engine '" + std::string(kind().name) +
        "' cannot share a galaxy among processes; use engine=cpu, or as many galaxies as processes");
  }
  /// Returns the engine itself if it cuts domains together with those of other processes; else nullptr.
  virtual TeamEngine* team_engine() { return nullptr; }
  /// Applies options from the next force evaluation on; the state stays. The configuration has passed
  /// OptionTable::check: the engine that make_engine returns asks that, and those within it trust it. What
  /// throws leaves the engine with the configuration that it has.
  virtual void configure(const Configuration& configuration) = 0;

  /// Works on the present step until it is complete or the budget is spent. True when a step was completed.
  virtual bool advance(const WorkBudget& budget) = 0;
  /// Waits until all work that was queued is done and status and samples are up to date. Engines that work
  /// within `advance` have nothing to wait for.
  virtual void finish() {}

  /// Offers a target into which steps that begin from now on may write their end, until the next call or
  /// write_vertices(): a kernel that moves the bodies can write the vertices too. Nothing depends on it:
  /// write_vertices() into this target then has nothing left to do. A target without memory withdraws the
  /// offer.
  virtual void set_next_target(const VertexTarget& /*target*/) {}
  /// True if steps write what is offered, as far as that is known now.
  virtual bool writes_in_passing() const { return false; }
  /// Writes positions and velocities of the last complete step. Writing into a device target is only queued:
  /// Samples::published tells when it is done.
  virtual void write_vertices(const VertexTarget& target) = 0;
  /// The activity map that the engine counts and write_vertices() writes into targets of its size; size 0:
  /// none.
  virtual MapSpec map() const { return {}; }
  /// Copies the last complete step into `bodies` (positions and velocities only; the sizes must agree).
  virtual void read_back(Bodies& bodies) = 0;
  /// Returns the last complete step with all that the next ones depend on. Waits for a device. A step that
  /// has begun is made again. Throws UsageError where an engine cannot continue from a file.
  virtual EngineState save_state() { refuse_checkpoints(); }
  /// Continues from a saved state, right after `load` of the bodies that it belongs to. True if the steps to
  /// come have the bits that they have without the pause; false if the state was saved by another engine or
  /// with options that shape it: then the engine continues from positions and velocities. Throws Error, and
  /// UsageError as save_state.
  virtual bool restore_state(const EngineState& /*state*/) { refuse_checkpoints(); }

  /// Progress, as far as it is known without waiting for a device or asking it.
  virtual EngineStatus status() const = 0;
  /// Description of the engine, for panels, reports and limits. Made anew with every call: for frames, not
  /// for every step of a measurement.
  virtual EngineReport report() const = 0;
  /// Asks for something of the next step, besides what was asked for before. A newer sample of forces
  /// replaces one that no force evaluation has given yet.
  virtual void observe(const SampleRequest& wanted) = 0;
  /// The samples that have arrived since the last call, without waiting; each is given once.
  virtual Samples poll() = 0;

 private:
  [[noreturn]] static void refuse_checkpoints() {
    throw UsageError("checkpoints are for one process that computes; leave --checkpoint and --resume out");
  }
};

}  // namespace orrery::sim
