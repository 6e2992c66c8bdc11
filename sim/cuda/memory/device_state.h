#pragma once

#include "sim/cuda/driver/cuda_abi.h"

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "sim/cuda/driver/api.h"
#include "sim/cuda/driver/device.h"
#include "sim/cuda/families/force_queue.h"
#include "sim/cuda/options/kernel_configuration.h"

namespace orrery::sim::cuda {

/// The form of the state: it decides the arrays of struct Bodies.
struct StateForm {
  std::string layout;
  int precision = 32;  ///< bits
  int dimensions = 3;
  bool charges = false;

  StateForm() = default;
  explicit StateForm(const KernelConfiguration& kernel)
      : layout(kernel.layout),
        precision(kernel.precision),
        dimensions(kernel.dimensions),
        charges(kernel.law->uses_charges) {}
  friend bool operator==(const StateForm&, const StateForm&) = default;
};

/// Bodies in device memory in one of the layouts, as the kernels' struct Bodies sees them.
class DeviceState {
 public:
  /// Allocates for `bodies`; the content is undefined afterwards.
  void allocate(const StateForm& form, std::size_t bodies);
  /// Adds this state to a kernel's arguments: as a struct ("value"), its pointers one by one ("members"), or
  /// the address of the struct in device memory ("pointer").
  void add_to(Arguments& arguments, const std::string& passing) const;
  /// Queues a copy of all of `other`, which must be of the same form.
  void copy_from(const DeviceState& other, CUstream stream);
  /// The device address, which differs from that of any other state.
  CUdeviceptr address() const { return memory_.pointer(); }
  /// One of the arrays of a layout.
  struct Array {
    CUdeviceptr address;
    std::size_t body_bytes;  ///< bytes per body
  };
  /// The arrays that hold positions, and with `velocities` those too.
  std::vector<Array> moving_arrays(bool velocities) const;
  std::size_t bytes() const { return memory_.size() + on_device_.size(); }
  /// All arrays, with the room between them.
  const DeviceMemory& memory() const { return memory_; }

 private:
  StateForm form_;
  std::size_t bodies_ = 0;
  DeviceMemory memory_;
  DeviceMemory on_device_;  ///< the struct of pointers, for passing "pointer"
  std::array<CUdeviceptr, 8> members_{};
  std::size_t member_count_ = 0;
};

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
