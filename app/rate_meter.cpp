#include "app/rate_meter.h"

#include <algorithm>

namespace orrery::app {

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
  interactions_ = 0.0;
  steps_ = 0.0;
  window_start_ = now;
}

void RateMeter::add(const sim::FrameInfo& info, Clock::time_point now) {
  const auto& timings = info.timings;
  // After a reset or a change of engine the counts begin again.
  const bool restarted = timings.evaluations < evaluations_ || info.steps < last_step_;
  const auto evaluations = restarted ? timings.evaluations : timings.evaluations - evaluations_;
  if (restarted) restart(now);
  steps_ += static_cast<double>(restarted ? info.steps : info.steps - last_step_);
  interactions_ += timings.interactions * static_cast<double>(evaluations);
  evaluations_ = timings.evaluations;
  last_step_ = info.steps;
  if (evaluations == 0 || timings.force_ms <= 0.0) return;
  kernel_gips_ = timings.interactions / timings.force_ms * 1e-6;
  kernel_history_.add(static_cast<float>(kernel_gips_));
}

void RateMeter::tick(Clock::time_point now, bool running) {
  const auto elapsed = now - window_start_;
  if (!running) return restart(now);
  if (elapsed < window || (interactions_ == 0.0 && elapsed < patience)) return;
  const double seconds = std::chrono::duration<double>(elapsed).count();
  frame_gips_ = interactions_ / seconds * 1e-9;
  steps_per_second_ = steps_ / seconds;
  frame_history_.add(static_cast<float>(frame_gips_));
  restart(now);
}

}  // namespace orrery::app
