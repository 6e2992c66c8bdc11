#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sim/cuda/device/shared.h"
#include "sim/cuda/driver/device.h"
#include "sim/cuda/families/family.h"
#include "sim/cuda/options/kernel_configuration.h"

namespace orrery::sim::cuda {

/// The blocks of one launch for all galaxies, whatever their sizes: the largest galaxies first, so that the
/// last blocks to run are short ones.
struct WorkTable {
  std::vector<WorkItem> forces;
  std::vector<double> interactions;  ///< interactions before each block, then the total
  std::vector<WorkItem> sums;        ///< the blocks that add partial sums, if there are any
  std::size_t scratch_reals = 0;     ///< numbers that the partial sums of all galaxies take
};

/// The table for launches with `block` threads of a family that has a batched form. `slices`: each galaxy's
/// targets.
WorkTable work_table(const KernelConfiguration& configuration, int block, std::span<const ForceSlice> slices);

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
