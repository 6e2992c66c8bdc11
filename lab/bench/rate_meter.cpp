#include "lab/bench/rate_meter.h"

#include <algorithm>
#include <utility>

#include "lab/bench/rates.h"

namespace orrery::lab {

namespace {
/// Long enough to average over several steps, short enough to feel live.
constexpr std::chrono::milliseconds window{500};
/// A slow step may take longer than the window: keep the last rate until a step ends, up to this long.
constexpr std::chrono::seconds patience{20};
/// Time span of the rates whose spread is shown.
constexpr std::chrono::seconds remembered{1};

}  // namespace

void History::add(float value) {
  values.at(static_cast<std::size_t>(next)) = value;
  marked.at(static_cast<std::size_t>(next)) = std::exchange(mark_next, false);
  next = (next + 1) % capacity;
  count = std::min(count + 1, capacity);
}

float History::largest() const { return *std::ranges::max_element(values); }

void RateMeter::restart(Clock::time_point now) {
  recent_ = {};
  kernel_history_.mark();
  frame_history_.mark();
  begin_window(now);
}

void RateMeter::begin_window(Clock::time_point now) {
  aligned_ = false;
  interactions_ = timed_interactions_ = kernel_ms_ = steps_ = 0.0;
  window_start_ = now;
}

void RateMeter::add(const sim::FrameInfo& info) {
  const auto& timings = info.timings;
  // After a reset or a change of engine the counts begin again.
  const bool fewer = timings.evaluations < seen_.evaluations || timings.measured < seen_.measured;
  if (fewer || info.steps < last_step_) {
    restart(info.known_at);
    seen_ = {};
    last_step_ = 0;
  }
  // Evaluations may be counted some frames after their steps, many at once.
  if (timings.evaluations == seen_.evaluations) return;
  const auto before = std::exchange(seen_, timings);
  const auto steps = static_cast<double>(info.steps - std::exchange(last_step_, info.steps));
  const double kernel_ms = timings.ms_since(before), timed = timings.timed_since(before);
  if (!std::exchange(aligned_, true)) {
    // These began before the window: they only mark where the window begins.
    window_start_ = info.known_at;
    if (kernel_gips_ == 0.0 && kernel_ms > 0.0) kernel_gips_ = giga_per_second(timed, kernel_ms);
    return;
  }
  if (kernel_ms > 0.0) note_kernel(giga_per_second(timed, kernel_ms), info.known_at);
  steps_ += steps;
  interactions_ += timings.summed_since(before);
  timed_interactions_ += timed;
  kernel_ms_ += kernel_ms;
  if (info.known_at - window_start_ >= window) close_window(info.known_at);
}

/// The rate of the evaluations since the last frame.
void RateMeter::note_kernel(double rate, Clock::time_point now) {
  kernel_history_.add(static_cast<float>(rate));
  recent_.at(next_recent_) = {now, rate};
  next_recent_ = (next_recent_ + 1) % recent_.size();
}

std::optional<RateSpread> RateMeter::kernel_spread() const {
  const auto newest = std::ranges::max_element(recent_, {}, &Sample::at)->at;
  RateSpread spread;
  int count = 0;
  for (const auto& sample : recent_) {
    if (sample.gips <= 0.0 || newest - sample.at > remembered) continue;
    spread.low = count == 0 ? sample.gips : std::min(spread.low, sample.gips);
    spread.high = std::max(spread.high, sample.gips);
    ++count;
  }
  spread.high = std::max(spread.high, kernel_gips_);
  return count < 2 ? std::nullopt : std::optional(spread);
}

void RateMeter::close_window(Clock::time_point now) {
  const double milliseconds = std::chrono::duration<double, std::milli>(now - window_start_).count();
  const auto rates = rates_of({timed_interactions_, kernel_ms_}, {interactions_, milliseconds});
  frame_gips_ = rates.whole;
  // Without a timed evaluation it stays what it was.
  kernel_gips_ = std::max(rates.kernel > 0.0 ? rates.kernel : kernel_gips_, frame_gips_);
  steps_per_second_ = 1e3 * steps_ / milliseconds;
  frame_history_.add(static_cast<float>(frame_gips_));
  interactions_ = timed_interactions_ = kernel_ms_ = steps_ = 0.0;
  window_start_ = now;
}

void RateMeter::tick(Clock::time_point now, bool running) {
  if (!running) return begin_window(now);
  if (now - window_start_ < patience) return;
  frame_gips_ = steps_per_second_ = 0.0;
  begin_window(now);
}

}  // namespace orrery::lab
