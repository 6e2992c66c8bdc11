#pragma once

#include <chrono>
#include <cstdint>

namespace orrery::sim {

/// The time of a step, as the mean of few, so that it follows a change.
class StepRate {
 public:
  using Clock = std::chrono::steady_clock;

  /// A step begins. The interval begins with the first step after a pause.
  void begin(Clock::time_point now) {
    if (counted_ != 0) return;
    counted_ = 1;
    since_ = now;
  }
  /// A step is complete. Returns the milliseconds per step.
  double end(Clock::time_point now) {
    const std::chrono::duration<double, std::milli> elapsed = now - since_;
    const double step_ms = elapsed.count() / static_cast<double>(counted_++);
    if (counted_ > most_counted) pause();
    return step_ms;
  }
  /// The time until the next step is not counted.
  void pause() { counted_ = 0; }

 private:
  static constexpr std::uint64_t most_counted = 16;

  Clock::time_point since_{};
  std::uint64_t counted_ = 0;  ///< the step under way is the n-th of the interval; 0: none
};

}  // namespace orrery::sim
