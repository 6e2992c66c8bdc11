#include "lab/bench/rate_meter.h"

#include <algorithm>
#include <utility>

namespace orrery::lab {

namespace {
/// Long enough to average over several steps, short enough to feel live.
constexpr std::chrono::milliseconds window{500};
/// A slow step may take longer than the window: keep the last rate until a step ends, up to this long.
constexpr std::chrono::seconds patience{20};
}  // namespace

void History::add(float value) {
  values.at(static_cast<std::size_t>(next)) = value;
  next = (next + 1) % capacity;
  count = std::min(count + 1, capacity);
}

float History::largest() const { return *std::ranges::max_element(values); }

void RateMeter::restart(Clock::time_point now) {
  aligned_ = false;
  interactions_ = kernel_ms_ = steps_ = 0.0;
  window_start_ = now;
}

void RateMeter::add(const sim::FrameInfo& info, Clock::time_point now) {
  const auto& timings = info.timings;
  // After a reset or a change of engine the counts begin again.
  if (timings.evaluations < evaluations_ || info.steps < last_step_) {
    restart(now);
    evaluations_ = last_step_ = 0;
  }
  const auto evaluations = static_cast<double>(timings.evaluations - evaluations_);
  // Evaluations may be counted some frames after their steps, many at once.
  if (evaluations == 0.0 || timings.force_ms <= 0.0) return;
  const auto steps = static_cast<double>(info.steps - last_step_);
  evaluations_ = timings.evaluations;
  last_step_ = info.steps;
  kernel_history_.add(static_cast<float>(timings.interactions / timings.force_ms * 1e-6));
  if (!std::exchange(aligned_, true)) {
    // This step began before the window: it only marks where the window begins.
    window_start_ = now;
    if (kernel_gips_ == 0.0) kernel_gips_ = timings.interactions / timings.force_ms * 1e-6;
    return;
  }
  steps_ += steps;
  interactions_ += timings.interactions * evaluations;
  kernel_ms_ += timings.force_ms * evaluations;
  if (now - window_start_ >= window) close_window(now);
}

void RateMeter::close_window(Clock::time_point now) {
  const double seconds = std::chrono::duration<double>(now - window_start_).count();
  kernel_gips_ = interactions_ / kernel_ms_ * 1e-6;
  frame_gips_ = interactions_ / seconds * 1e-9;
  steps_per_second_ = steps_ / seconds;
  frame_history_.add(static_cast<float>(frame_gips_));
  interactions_ = kernel_ms_ = steps_ = 0.0;
  window_start_ = now;
}

void RateMeter::tick(Clock::time_point now, bool running) {
  if (!running) return restart(now);
  if (now - window_start_ < patience) return;
  frame_gips_ = steps_per_second_ = 0.0;
  restart(now);
}

}  // namespace orrery::lab
