#pragma once

#include <cstddef>

#include "sim/cuda/families/force_queue.h"

namespace orrery::sim::cuda {

/// Hands out arrays of device memory one after the other, each at a multiple of 256 bytes from the begin. Who
/// begins at 0 learns how much is needed.
class ScratchArena {
 public:
  explicit ScratchArena(DeviceAddress begin) : begin_(begin) {}
  DeviceAddress take(std::size_t bytes) {
    const auto place = begin_ + used_;
    used_ += (bytes + 255) / 256 * 256;
    return place;
  }
  /// Bytes so far.
  std::size_t used() const { return used_; }

 private:
  DeviceAddress begin_;
  std::size_t used_ = 0;
};

}  // namespace orrery::sim::cuda
