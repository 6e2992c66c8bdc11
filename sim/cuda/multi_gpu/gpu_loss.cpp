#include "sim/cuda/multi_gpu/gpu_loss.h"

#include <cstdlib>
#include <utility>

namespace orrery::sim::cuda {

namespace {
/// Seconds from one copy of the state to the next.
constexpr double copy_interval = 1.0;
}  // namespace

GpuLoss::GpuLoss() {
  const char* text = std::getenv("ORRERY_TEST_LOSE_GPU");
  if (text == nullptr) return;
  char* rest = nullptr;
  breaking_ = static_cast<int>(std::strtol(text, &rest, 10));
  if (*rest == '@') breaking_step_ = std::strtoull(rest + 1, nullptr, 10);
}

void GpuLoss::note_upload(double time, std::uint64_t steps) { uploaded_ = {time, steps}; }

void GpuLoss::keep_copies(std::span<GpuWorker* const> parts, std::size_t bodies, BodyOrder order) {
  copies_ = std::make_unique<Checkpoint>(parts, bodies, std::move(order));
}

void GpuLoss::queue_copy_if_due(double time, std::uint64_t steps) {
  copies_->queue_if_due(breaking_ >= 0 ? 0.0 : copy_interval, time, steps);
}

GpuLoss::Kept GpuLoss::go_back(Bodies& host) {
  Kept kept = uploaded_;
  // Where no copy has arrived yet the host still has what was uploaded.
  if (copies_) copies_->restore(host, kept.time, kept.steps);
  return kept;
}

void GpuLoss::break_device_if_due(std::span<GpuWorker* const> parts, std::uint64_t steps) const {
  if (breaking_ < 0 || steps != breaking_step_) return;
  for (auto* part : parts)
    if (part->info().ordinal == breaking_) part->break_device();
}

}  // namespace orrery::sim::cuda
