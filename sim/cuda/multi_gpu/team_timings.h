#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sim/cuda/worker/gpu_worker.h"
#include "sim/engines/engine.h"
#include "sim/engines/timeline.h"

namespace orrery::sim::cuda {

/// Times of GPUs that work at the same time: the slowest counts.
class TeamTimings {
 public:
  /// Starts with other bodies, `interactions` per force evaluation.
  void start(double interactions);
  /// Notes the GPUs that share the bodies from now on.
  void begin(std::span<GpuWorker* const> gpus);
  /// Takes over what the GPUs have measured by now, without waiting.
  void poll(std::span<GpuWorker* const> gpus);
  /// All that was queued is done: evaluations that nobody timed count, too.
  void count_unmeasured(std::span<GpuWorker* const> gpus);
  void set_publish_ms(double milliseconds) { all_.publish_ms = milliseconds; }

  const StepTimings& all() const { return all_; }

  /// A step is queued, by this thread.
  void note_step();
  /// Launches between the ends of the last two steps.
  std::uint64_t launches_of_step() const { return launches_of_step_; }

 private:
  void add_up_interactions(std::span<GpuWorker* const> gpus);
  void add_measured();

  StepTimings all_;
  std::vector<StepTimings> each_;
  std::vector<StepTimings> counted_;  ///< of each, what is in all_ already
  std::uint64_t launches_ = 0;        ///< by this thread up to the end of the last step
  std::uint64_t launches_of_step_ = 0;
};

/// The timeline of one step on several GPUs.
class TeamTimeline {
 public:
  void request() { wanted_ = true; }
  /// A step begins: records it if that was asked for.
  void start(std::string_view schedule, std::span<GpuWorker* const> gpus);
  /// The step was given up.
  void cancel() { timeline_.reset(); }
  /// The timeline, once every GPU is done; without waiting.
  std::optional<Timeline> take(std::span<GpuWorker* const> gpus);

 private:
  bool wanted_ = false;
  std::optional<Timeline> timeline_;  ///< of the GPUs that are done
  std::size_t missing_ = 0;           ///< the others
};

}  // namespace orrery::sim::cuda
