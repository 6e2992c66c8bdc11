#pragma once

#include "sim/cuda/driver/cuda_abi.h"

#include <map>
#include <memory>
#include <span>

#include "sim/cuda/driver/device.h"
#include "sim/cuda/multi_gpu/gpu_worker.h"

namespace orrery::sim::cuda {

/// The activity map of several GPUs: what each has counted of its own bodies, added up in the memory of one
/// of them. Whole numbers: the sum does not depend on how the bodies are shared out.
class MapSum {
 public:
  /// Makes room for maps of that many cells on `home`; 0: gives it back. Throws Error: out of memory.
  void use(GpuWorker& home, std::size_t cells);
  /// Adds up what the parts have counted and writes the values, with their header, to `target` in the memory
  /// of `home`, whose map has the same spec. Only queued: it follows what the parts have queued, and what
  /// they queue next waits until their counts were read.
  void write(std::span<GpuWorker* const> parts, GpuWorker& home, CUdeviceptr target);
  std::size_t bytes() const { return total_.size() + arriving_.size(); }

 private:
  CUdeviceptr fetch(GpuWorker& part, GpuWorker& home);
  void release(GpuWorker& part, GpuWorker& home);

  DeviceMemory total_;     ///< on the home device
  DeviceMemory arriving_;  ///< on the home device: counts of another device
  /// Per part on another device: its counts are complete.
  std::map<const GpuWorker*, std::unique_ptr<Event>> counted_;
  std::unique_ptr<Event> read_;  ///< the home device has read the arriving counts
};

}  // namespace orrery::sim::cuda
