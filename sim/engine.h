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
#include <vector>

#include "sim/bodies.h"
#include "sim/partition.h"
#include "sim/physics/force_error.h"
#include "sim/timeline.h"
#include "sim/tuning/configuration.h"

namespace orrery::sim {

/// Where an engine publishes a complete step for drawing: two arrays of four floats a body,
/// (x, y, z, mass) and (vx, vy, vz, 0). The memory belongs to whoever made the target (a vertex buffer,
/// mapped for the host or for the device, or plain memory); it is written, never read.
struct Target {
  enum class Space { host, device };
  Space space = Space::host;
  float* position = nullptr;
  float* velocity = nullptr;
  std::size_t bodies = 0;  ///< capacity; must be at least the engine's number of bodies
  /// Device targets: a native event (CUevent) that the device has to pass before it writes here; may be null.
  void* free_event = nullptr;
};

/// Writes bodies in the form of a Target: 4 floats a body each, (x, y, z, mass) and (vx, vy, vz, 0). All
/// spans have one length, and both outputs room for it.
void pack_bodies(std::span<const Vec3> position, std::span<const Vec3> velocity, std::span<const float> mass,
                 float* packed_position, float* packed_velocity);

/// How long `advance` may work before it comes back, and a flag with which another thread ends it at once.
/// An engine of a device queues some milliseconds of work whatever the time is, unless that is endless: then
/// it queues whole steps.
struct WorkBudget {
  std::chrono::nanoseconds time = std::chrono::nanoseconds::max();
  const std::atomic<bool>* interrupt = nullptr;
};

/// What the last force evaluation and step cost. Times are of the engine's own clock (steady clock, CUDA
/// events).
struct StepTimings {
  double force_ms = 0.0;  ///< the last force evaluation (the kernel) whose time is known; 0: none yet
  double update_ms =
      0.0;  ///< integration of velocities and positions, and the exchange of a galaxy that is shared
  double publish_ms = 0.0;        ///< the last publish, with an update that it did on the way
  double interactions = 0.0;      ///< ordered pairs i<-j of one force evaluation, self included
  std::uint64_t evaluations = 0;  ///< force evaluations since load that are known to be done; of short ones
                                  ///< many may be counted at once
};

/// What is known about the kernel that runs, for engines that compile theirs.
struct KernelReport {
  std::string device;       ///< what it runs on
  int registers = 0;        ///< a thread
  int spilled_bytes = 0;    ///< a thread
  int shared_bytes = 0;     ///< a block
  int block = 0;            ///< threads
  double occupancy = 0.0;   ///< 0 to 1
  double compile_ms = 0.0;  ///< 0: it was in the cache on disk
  double limit_gips = 0.0;  ///< the device's FP32 limit in 1e9 interactions per second
  /// Instructions that the compiled kernel issues for an interaction, counted in its machine code, and how
  /// many of them are special functions (reciprocal square roots and the like); 0: it does not tell.
  double slots_per_interaction = 0.0;
  double special_per_interaction = 0.0;
  /// The rates that follow, in the unit of limit_gips: what the device can issue, what its special-function
  /// units and its double-precision lanes can do. 0: not known, or no such instructions.
  double issue_limit_gips = 0.0;
  double special_limit_gips = 0.0;
  double fp64_limit_gips = 0.0;
  std::size_t device_bytes = 0;  ///< memory that the engine holds there
  /// Bytes of bodies and forces copied between host and device since load. Steps and publishing into device
  /// memory add nothing.
  std::uint64_t copied_bytes = 0;
  std::string schedule;              ///< in which order galaxies are queued; "" where there is no choice
  std::size_t streams = 1;           ///< that work at a time, on each device
  std::uint64_t graph_captures = 0;  ///< graphs captured so far
  std::size_t devices = 1;           ///< that share the work
  std::string exchange_how;          ///< several devices: how bodies go from one to the other
  double exchange_ms = 0.0;          ///< the last time that took
  bool compiling = false;            ///< another kernel is being compiled; this one runs on meanwhile
  /// Not empty: the kernel's edited sources do not compile, and the compiler's message; the last good kernel
  /// runs on.
  std::string problem;
};

/// How the workers that share a galaxy tell each other what became of their bodies. Every worker makes the
/// same calls in the same order; each waits for all.
class StateExchange {
 public:
  virtual ~StateExchange() = default;
  /// `vectors` (positions or velocities) of all bodies: this worker's targets are sent, the others filled in.
  virtual void share(std::span<Vec3> vectors) = 0;
  /// True if it is true for all workers.
  virtual bool all(bool mine) = 0;
};

/// Advances bodies. Implemented by each engine (cpu, cuda); one test suite runs over all of them.
///
/// Used by one thread at a time. A step may be cut into several calls of `advance`; between calls the
/// positions and velocities that `publish` and `read_back` give are those of the last complete step.
class Engine {
 public:
  virtual ~Engine() = default;

  /// As in --set engine=NAME.
  virtual std::string_view name() const = 0;
  /// Which kind of target `publish` prefers. An engine of a device also publishes into host memory, by a
  /// copy.
  virtual Target::Space target_space() const = 0;

  /// Takes a copy of the bodies and starts at simulated time `time`. Throws Error if they do not fit in
  /// memory; the engine then still has what it had before.
  virtual void load(const Bodies& bodies, double time) = 0;
  /// Of the bodies loaded, moves only `targets`; the others exert forces, and their state comes through
  /// `exchange` before each force evaluation. Right after `load`, which ends it. `exchange` must outlive
  /// that. Afterwards `publish`, `read_back` and samples are right for targets only. Throws UsageError if
  /// this engine, or its kernel, computes whole galaxies only.
  virtual void take_share(BodyRange targets, StateExchange& exchange);
  /// Applies options from the next force evaluation on; the state stays. Throws UsageError if the
  /// configuration is refused (OptionTable::check); the engine then goes on with the one it has.
  virtual void configure(const Configuration& configuration) = 0;

  /// Works on the present step until it is complete or the budget is spent. True when a step was completed.
  virtual bool advance(const WorkBudget& budget) = 0;

  /// Writes positions and velocities of the last complete step. Writing into a device target is only queued.
  virtual void publish(const Target& target) = 0;
  /// True when what `publish` was asked for last is in its target.
  virtual bool published() { return true; }
  /// Copies the last complete step into `bodies` (positions and velocities only; the sizes must agree).
  virtual void read_back(Bodies& bodies) = 0;
  /// Waits until all work that was queued is done and timings and samples are up to date. Engines that work
  /// within `advance` have nothing to wait for.
  virtual void finish() {}
  /// Empty for engines whose kernels are not compiled at run time.
  virtual std::optional<KernelReport> kernel_report() const { return std::nullopt; }

  /// Asks for a timeline of the next step.
  virtual void request_timeline() {}
  /// The timeline, once its step is done; empties it.
  virtual std::optional<Timeline> take_timeline() { return std::nullopt; }

  virtual double time() const = 0;          ///< simulated time of the last complete step
  virtual std::uint64_t steps() const = 0;  ///< complete steps since load
  virtual StepTimings timings() const = 0;

  /// Asks for a sample of `count` accelerations out of the next force evaluation, drawn with `seed`.
  virtual void request_force_sample(std::size_t count, std::uint64_t seed) = 0;
  /// The sample, once its force evaluation is complete; empties it.
  virtual std::optional<ForceSample> take_force_sample() = 0;
};

/// How an engine is made: one line in engine.cpp registers it.
struct EngineKind {
  std::string_view name;
  std::string_view meaning;
  /// Empty if it can run on this machine, otherwise why not and what would help.
  std::string (*unavailable)();
  std::unique_ptr<Engine> (*make)(const OptionTable& options);
};
std::span<const EngineKind* const> engine_kinds();
/// Makes the engine that `configuration` asks for, configured but empty. Throws UsageError.
std::unique_ptr<Engine> make_engine(const OptionTable& options, const Configuration& configuration);

}  // namespace orrery::sim
