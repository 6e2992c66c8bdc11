#pragma once

#include "sim/cuda/driver/cuda_abi.h"

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "sim/cuda/driver/device.h"
#include "sim/cuda/families/arguments.h"
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

}  // namespace orrery::sim::cuda
