#pragma once

#include <cstddef>

#include "sim/cuda/driver/api.h"
#include "sim/cuda/memory/device_state.h"

namespace orrery::sim::cuda {

/// Copies memory of the GPU, where both have as much of it. Only queued.
inline void copy_memory(const DeviceMemory& to, const DeviceMemory& from, CUstream stream) {
  if (to.size() == 0 || to.size() != from.size()) return;
  check(driver()->cuMemcpyDtoDAsync(to.pointer(), from.pointer(), to.size(), stream), "copying the state");
}

/// The bodies of a GPU as they were once, in its memory: a state and its low-order parts, which may be empty.
/// Every function needs its context.
class KeptBodies {
 public:
  /// Throws Error: out of memory.
  void keep(const StateForm& form, std::size_t bodies, const DeviceState& state, const DeviceMemory& low,
            CUstream stream) {
    state_.allocate(form, bodies);
    low_.resize(low.size());
    state_.copy_from(state, stream);
    copy_memory(low_, low, stream);
  }
  void restore(DeviceState& state, const DeviceMemory& low, CUstream stream) const {
    state.copy_from(state_, stream);
    copy_memory(low, low_, stream);
  }
  const DeviceState& state() const { return state_; }
  const DeviceMemory& low() const { return low_; }
  std::size_t bytes() const { return state_.bytes() + low_.size(); }

 private:
  DeviceState state_;
  DeviceMemory low_;
};

}  // namespace orrery::sim::cuda
