#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>

#include "sim/simulation/simulation.h"

namespace orrery::lab {

/// A ring of the newest values, for a history plot.
struct History {
  static constexpr int capacity = 240;
  std::array<float, capacity> values{};
  int next = 0;  ///< also the offset of the oldest value once the ring is full
  int count = 0;
  std::array<bool, capacity> marked{};  ///< values that are the first after a mark
  bool mark_next = false;

  /// The next value gets a mark: what is measured changes with it.
  void mark() { mark_next = count > 0; }
  /// Replaces the oldest value once the ring is full.
  void add(float value);
  /// The largest value held: the height of a plot.
  float largest() const;
};

/// The range of the recent rates, in 1e9 interactions per second.
struct RateSpread {
  double low = 0.0;
  double high = 0.0;
};

/// Turns what the simulation reports into rates. Kernel: interactions of all force evaluations that were
/// measured, over the sum of their own times. Frame: all interactions that were computed over the time that
/// passed, so it counts updates, publishing, drawing and waiting too; it is never above that of the kernel.
/// With step=block an evaluation counts with the part of the interactions that it summed (StepTimings::sums).
class RateMeter {
 public:
  using Clock = std::chrono::steady_clock;

  /// Call it for every new frame of the simulation.
  void add(const sim::FrameInfo& info);
  /// Call it for every drawn frame: without new steps the frame rate falls. `running` false (paused) holds
  /// the rates.
  void tick(Clock::time_point now, bool running);
  /// Starts anew, after a change that makes old numbers meaningless.
  void restart(Clock::time_point now);

  double kernel_gips() const { return kernel_gips_; }
  double frame_gips() const { return frame_gips_; }
  double steps_per_second() const { return steps_per_second_; }
  /// The slowest and the fastest kernel rate of the frames of the last second; no value if there are fewer
  /// than two.
  std::optional<RateSpread> kernel_spread() const;
  const History& kernel_history() const { return kernel_history_; }
  const History& frame_history() const { return frame_history_; }

 private:
  struct Sample {
    Clock::time_point at{};
    double gips = 0.0;
  };
  void begin_window(Clock::time_point now);
  void close_window(Clock::time_point now);
  void note_kernel(double rate, Clock::time_point now);

  double kernel_gips_ = 0.0;
  double frame_gips_ = 0.0;
  double steps_per_second_ = 0.0;
  bool aligned_ = false;             ///< the window began at the end of a step
  double interactions_ = 0.0;        ///< computed since window_start_
  double timed_interactions_ = 0.0;  ///< the part of interactions_ from evaluations that were timed
  double kernel_ms_ = 0.0;           ///< spent on these by the kernel
  double steps_ = 0.0;
  sim::StepTimings seen_;  ///< last
  std::uint64_t last_step_ = 0;
  std::array<Sample, 64> recent_{};  ///< a ring: about a second of frames
  std::size_t next_recent_ = 0;
  Clock::time_point window_start_{};
  History kernel_history_;
  History frame_history_;
};

}  // namespace orrery::lab
