#pragma once

#include <utility>

#include "sim/cuda/driver/api.h"
#include "sim/cuda/memory/device_state.h"

namespace orrery::sim::cuda {

/// Copies a state's low-order parts, where both have them. Only queued.
inline void copy_low(const DeviceMemory& to, const DeviceMemory& from, CUstream stream) {
  if (to.size() == 0 || to.size() != from.size()) return;
  check(driver()->cuMemcpyDtoDAsync(to.pointer(), from.pointer(), to.size(), stream), "copying the state");
}

/// The bodies of a GPU as they were when a step began, in its memory. Every function needs its context.
class BodyBackup {
 public:
  /// Throws Error: out of memory.
  void keep(const StateForm& form, std::size_t bodies, const DeviceState& state, const DeviceMemory& low,
            CUstream stream) {
    state_.allocate(form, bodies);
    state_.copy_from(state, stream);
    low_.resize(low.size());
    copy_low(low_, low, stream);
    is_kept_ = true;
  }
  void drop() { is_kept_ = false; }
  /// Once after `keep`; then it is dropped.
  void restore(DeviceState& state, const DeviceMemory& low, CUstream stream) {
    if (!std::exchange(is_kept_, false)) return;
    state.copy_from(state_, stream);
    copy_low(low, low_, stream);
  }
  const DeviceState& state() const { return state_; }
  const DeviceMemory& low() const { return low_; }
  std::size_t bytes() const { return state_.bytes() + low_.size(); }

 private:
  DeviceState state_;
  DeviceMemory low_;
  bool is_kept_ = false;
};

}  // namespace orrery::sim::cuda
