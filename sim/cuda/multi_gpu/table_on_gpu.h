#pragma once

#include <span>

#include "sim/cuda/driver/device.h"
#include "sim/cuda/schedules/work_table.h"

namespace orrery::sim::cuda {

/// The table of the blocks of a launch for all galaxies, on the host and in the GPU's memory.
class TableOnGpu {
 public:
  void outdated() { is_current_ = false; }
  /// Makes the table and copies it to the GPU if it is outdated; waits. Needs the GPU's context. Throws
  /// Error: out of memory.
  void make(const KernelConfiguration& kernel, int block, std::span<const ForceSlice> slices,
            CUstream stream);
  const WorkTable& table() const { return table_; }
  CUdeviceptr item(std::size_t k) const { return items_.at(k * sizeof(WorkItem)); }
  std::size_t bytes() const { return items_.size(); }

 private:
  WorkTable table_;
  DeviceMemory items_;  ///< items of the forces, then items of the sums
  bool is_current_ = false;
};

}  // namespace orrery::sim::cuda
