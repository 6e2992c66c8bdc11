#pragma once

#include "sim/cuda/driver/cuda_abi.h"

#include <memory>

#include "sim/cuda/driver/device.h"

namespace orrery::sim::cuda {

/// Measures the time of some work in a stream, between two events. Every function needs the context of its
/// device.
class EventTimer {
 public:
  /// Makes the events for the device of the current context, which may be another one than before.
  void make() {
    start_ = std::make_unique<Event>();
    end_ = std::make_unique<Event>();
    running_ = false;
  }
  bool made() const { return start_ != nullptr; }
  /// Call before the work, which is not measured while the end of the last one was not seen, unless `anew`
  /// demands it.
  void begin(CUstream stream, bool anew = false) {
    if (!anew) milliseconds();
    measures_ = anew || !running_;
    if (measures_) start_->record(stream);
  }
  void end(CUstream stream) {
    if (!measures_) return;
    end_->record(stream);
    running_ = true;
  }
  /// The last work that was measured was not seen to end yet.
  bool running() const { return running_; }
  /// Milliseconds of the last one that is known to have ended; 0: none.
  double milliseconds() {
    if (running_ && end_->passed()) {
      milliseconds_ = end_->milliseconds_since(*start_);
      running_ = false;
    }
    return milliseconds_;
  }

 private:
  std::unique_ptr<Event> start_, end_;
  bool measures_ = false;  ///< between begin and end
  bool running_ = false;
  double milliseconds_ = 0.0;
};

}  // namespace orrery::sim::cuda
