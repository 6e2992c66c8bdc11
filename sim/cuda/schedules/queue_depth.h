#pragma once

#include <algorithm>
#include <utility>

namespace orrery::sim::cuda {

/// Controls the amount of work queued ahead of the GPU: little, so that new states and switches show soon,
/// and more if the host often refills the queue too late.
class QueueDepth {
 public:
  static constexpr double least_ms = 2.0;
  static constexpr double most_ms = 12.0;

  double ms() const { return ms_; }
  /// The GPU was left without work on purpose: until there is enough again, it may run dry.
  void rest() { refills_ = true; }
  /// The GPU had nothing left to do. Once is chance: a host that was held up for longer than any queue lasts.
  void ran_dry() {
    if (refills_) return;
    const bool again = std::exchange(since_dry_, 0) < chance_times;
    if (!again) return;
    ms_ = std::min(2.0 * ms_, most_ms);
    calm_ = 0;
  }
  /// The GPU had work left: after many times without growth, the depth is reduced.
  void was_enough() {
    if (std::exchange(refills_, false)) return;
    since_dry_ = std::min(since_dry_ + 1, chance_times);
    if (++calm_ < calm_times) return;
    ms_ = std::max(0.5 * ms_, least_ms);
    calm_ = 0;
  }

 private:
  static constexpr int calm_times = 1000;   // half a second or more
  static constexpr int chance_times = 500;  // a quarter of a second: a stall of 2 ms costs 1 % of that

  double ms_ = least_ms;
  int calm_ = 0;                  ///< times that there was enough since ms_ changed
  int since_dry_ = chance_times;  ///< times that there was enough since the GPU ran dry, at most chance_times
  bool refills_ = true;           ///< the GPU never had enough since the begin or a rest
};

}  // namespace orrery::sim::cuda
