#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/cuda/device/shared.h"
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

}  // namespace orrery::sim::cuda
