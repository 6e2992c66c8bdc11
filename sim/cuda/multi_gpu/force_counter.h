#pragma once

#include <cstdint>
#include <cstring>

#include "sim/cuda/driver/api.h"
#include "sim/cuda/driver/device.h"
#include "sim/cuda/families/force_queue.h"

namespace orrery::sim::cuda {

/// Counts of approximate families in a force evaluation, in the GPU's memory and, a step late, on the host.
/// Every function needs the GPU's context.
class ForceCounter {
 public:
  void allocate() {
    if (counts_.size() > 0) return;
    counts_.resize(sizeof(ForceCounts));
    on_host_.resize(sizeof(ForceCounts), true);
    std::memset(on_host_.data(), 0, sizeof(ForceCounts));
  }
  CUdeviceptr pointer() const { return counts_.pointer(); }
  void clear(CUstream stream) const {
    check(driver()->cuMemsetD8Async(counts_.pointer(), 0, counts_.size(), stream), "clearing a count");
  }
  void queue_reading(CUstream stream) const {
    check(driver()->cuMemcpyDtoHAsync(on_host_.data(), counts_.pointer(), counts_.size(), stream),
          "reading a count");
  }
  /// Interactions of the last evaluation that is done; 0: none is. The GPU may write the number meanwhile.
  std::uint64_t interactions() const {
    return counts_.size() == 0 ? 0 : *static_cast<const volatile std::uint64_t*>(on_host_.data());
  }
  ForceCounts counts() const {
    ForceCounts counts;
    if (counts_.size() > 0) std::memcpy(&counts, on_host_.data(), sizeof counts);
    return counts;
  }

 private:
  DeviceMemory counts_;
  HostMemory on_host_;
};

}  // namespace orrery::sim::cuda
