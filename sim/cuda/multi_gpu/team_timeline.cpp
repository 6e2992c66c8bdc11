#include "sim/cuda/multi_gpu/team_timeline.h"

#include <utility>

namespace orrery::sim::cuda {

void TeamTimeline::start(std::string_view schedule, std::span<GpuWorker* const> gpus) {
  if (!std::exchange(wanted_, false)) return;
  timeline_.emplace();
  timeline_->schedule = schedule;
  missing_ = gpus.size();
  for (auto* gpu : gpus) {
    gpu->make_current();
    gpu->timeline().start(gpu->info().ordinal, gpu->streams().main());
  }
}

std::optional<Timeline> TeamTimeline::take(std::span<GpuWorker* const> gpus) {
  if (!timeline_ || missing_ == 0) return std::nullopt;
  for (auto* gpu : gpus) {
    gpu->make_current();
    auto spans = gpu->timeline().take();
    if (!spans) continue;
    timeline_->spans.insert(timeline_->spans.end(), spans->begin(), spans->end());
    --missing_;
  }
  if (missing_ > 0) return std::nullopt;
  return std::exchange(timeline_, std::nullopt);
}

}  // namespace orrery::sim::cuda
