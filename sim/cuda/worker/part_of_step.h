#pragma once

#include <memory>

#include "sim/cuda/driver/device.h"
#include "sim/cuda/launch/state_kernels.h"
#include "sim/cuda/memory/device_state.h"

namespace orrery::sim::cuda {

/// One GPU's work for an adaptive step (sim/physics/integrators/step_rule.h) besides forces and updates:
/// keeps the bodies where a part begins, with their forces, and finds the largest acceleration. Four bytes
/// come back to the host, which decides.
class PartOfStep {
 public:
  /// Device addresses of the present state: positions, velocities, low-order parts (may be empty), forces.
  struct Now {
    DeviceState& state;
    DeviceMemory& low;
    DeviceMemory& accelerations;
  };
  /// Copies the present state. Throws Error: out of memory.
  void keep(const StateForm& form, std::size_t bodies, const Now& now, CUstream stream);
  /// Gives the memory of the copy back.
  void release();
  /// Restores the state that keep() copied.
  void restore(const Now& now, CUstream stream) const;
  /// Queues the search for the largest acceleration.
  void measure(const StateKernels& kernels, CUdeviceptr accelerations);
  /// True when the result of measure() is there.
  bool is_measured() const { return done_ == nullptr || done_->passed(); }
  void wait() const {
    if (done_ != nullptr) done_->wait();
  }
  double largest_acceleration() const;
  std::size_t bytes() const { return kept_.bytes() + accelerations_.size() + largest_.size(); }

 private:
  KeptBodies kept_;
  DeviceMemory accelerations_;
  DeviceMemory largest_;  ///< a float
  HostMemory on_host_;    ///< copy of largest_
  std::unique_ptr<Event> done_;
};

}  // namespace orrery::sim::cuda
