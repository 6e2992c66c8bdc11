#pragma once

#include "sim/cuda/driver/cuda_abi.h"

#include <memory>
#include <optional>

#include "sim/cuda/driver/device.h"

namespace orrery::sim::cuda {

/// How long the last write of vertices into device memory takes. Every function needs the context of the
/// device that draws.
class PublishTimer {
 public:
  /// Another device.
  void use_device() {
    start_ = std::make_unique<Event>();
    end_ = std::make_unique<Event>();
    running_ = false;
  }
  void begin(CUstream stream) { start_->record(stream); }
  void end(CUstream stream) {
    end_->record(stream);
    running_ = true;
  }
  /// It was not seen to end yet.
  bool running() const { return running_; }
  /// Its milliseconds, when it is seen to end.
  std::optional<double> poll() {
    if (!running_ || !end_->passed()) return std::nullopt;
    running_ = false;
    return end_->milliseconds_since(*start_);
  }

 private:
  std::unique_ptr<Event> start_, end_;
  bool running_ = false;
};

}  // namespace orrery::sim::cuda
