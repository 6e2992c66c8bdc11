#pragma once

#include <atomic>
#include <cstddef>

#include "sim/core/error.h"

namespace orrery::sim {

/// Shared between the thread that does long work and the one that shows how far it is.
struct Progress {
  std::atomic<float> fraction{0.0F};  ///< 0 to 1
  std::atomic<bool> cancel{false};    ///< set by the watcher: the worker throws Cancelled soon after
};

/// Tells the watcher how far the work is and notices that it wants to stop.
class Ticker {
 public:
  /// Call at() at least once for that many bodies.
  static constexpr std::size_t interval = 4096;

  /// `progress` may be null. The work that at() counts moves the fraction from `from` to `to`.
  Ticker(Progress* progress, std::size_t total, float from = 0.0F, float to = 1.0F)
      : progress_(progress),
        from_(from),
        scale_(total > 0 ? (to - from) / static_cast<float>(total) : 0.0F) {}

  /// `done` of the total is done. Throws Cancelled if the watcher asked for it.
  void at(std::size_t done) const {
    if (progress_ == nullptr) return;
    if (progress_->cancel.load(std::memory_order_relaxed)) throw Cancelled();
    progress_->fraction.store(from_ + scale_ * static_cast<float>(done), std::memory_order_relaxed);
  }
  /// Calls at() every `interval` bodies, for a loop that calls this for every body.
  void now_and_then(std::size_t done) const {
    if (done % interval == 0) at(done);
  }

 private:
  Progress* progress_;
  float from_, scale_;
};

}  // namespace orrery::sim
