#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "sim/cuda/multi_gpu/gpu_worker.h"
#include "sim/engines/timeline.h"

namespace orrery::sim::cuda {

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
