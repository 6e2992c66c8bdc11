#pragma once

#include <array>
#include <chrono>
#include <cstdint>

#include "sim/simulation/simulation.h"

namespace orrery::lab {

/// A ring of the newest values, for a history plot.
struct History {
  static constexpr int capacity = 240;
  std::array<float, capacity> values{};
  int next = 0;  ///< also the offset of the oldest value once the ring is full
  int count = 0;

  /// Replaces the oldest value once the ring is full.
  void add(float value);
  /// The largest value held: the height of a plot.
  float largest() const;
};

/// Turns what the simulation reports into rates. Kernel: interactions of a force evaluation over its own
/// time. Frame: all interactions that were computed over the time that passed, so it counts updates,
/// publishing, drawing and waiting too.
class RateMeter {
 public:
  using Clock = std::chrono::steady_clock;

  /// For every frame of the simulation that is taken.
  void add(const sim::FrameInfo& info, Clock::time_point now);
  /// For every drawn frame: without new steps the frame rate sinks. `running` false (paused) holds the rates.
  void tick(Clock::time_point now, bool running);
  /// After a change that makes old numbers meaningless.
  void restart(Clock::time_point now);

  double kernel_gips() const { return kernel_gips_; }
  double frame_gips() const { return frame_gips_; }
  double steps_per_second() const { return steps_per_second_; }
  const History& kernel_history() const { return kernel_history_; }
  const History& frame_history() const { return frame_history_; }

 private:
  void close_window(Clock::time_point now);

  double kernel_gips_ = 0.0;
  double frame_gips_ = 0.0;
  double steps_per_second_ = 0.0;
  bool aligned_ = false;       ///< the window began at the end of a step
  double interactions_ = 0.0;  ///< computed since window_start_
  double kernel_ms_ = 0.0;     ///< spent on them by the kernel
  double steps_ = 0.0;
  std::uint64_t evaluations_ = 0;  ///< seen last
  std::uint64_t last_step_ = 0;
  Clock::time_point window_start_{};
  History kernel_history_;
  History frame_history_;
};

}  // namespace orrery::lab
