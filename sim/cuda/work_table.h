#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/bodies.h"
#include "sim/cuda/kernel_configuration.h"

namespace orrery::sim::cuda {

/// Bodies [begin, end) of a galaxy: a slice of a force evaluation.
struct ForceSlice {
  GalaxyRange galaxy;     ///< the sources
  std::size_t begin = 0;  ///< the targets
  std::size_t end = 0;
  double interactions() const {
    return static_cast<double>(end - begin) * static_cast<double>(galaxy.size());
  }
};

/// What one block of a batched launch works on: struct WorkItem of the device code (kernels/common.cuh).
struct WorkItem {
  std::uint32_t first, last;  ///< sources
  std::uint32_t begin, end;   ///< targets of the galaxy
  std::uint32_t target;       ///< the block's first target
  std::uint32_t column;       ///< tiled-2d: which sources
  std::uint64_t scratch;      ///< tiled-2d: first real of the galaxy's partial sums
};
static_assert(sizeof(WorkItem) == 32);

/// The blocks of one launch for all galaxies, whatever their sizes: the largest galaxies first, so that the
/// last blocks to run are short ones.
struct WorkTable {
  std::vector<WorkItem> forces;
  std::vector<double> interactions;  ///< of the blocks before each one, and of all at the end
  std::vector<WorkItem> sums;        ///< tiled-2d: the blocks that add partial sums
  std::size_t scratch_reals = 0;     ///< tiled-2d: numbers that the partial sums of all galaxies take
};

/// The table for launches with `block` threads (tiled-2d: its own shape). `slices`: each galaxy's targets.
WorkTable work_table(const KernelConfiguration& configuration, int block, std::span<const ForceSlice> slices);

/// tiled-2d: rows of partial sums of a galaxy with so many bodies.
std::size_t partial_rows(const KernelConfiguration& configuration, std::size_t sources);

/// Threads of the blocks that add partial sums, a body each.
inline constexpr int sum_block = 256;

}  // namespace orrery::sim::cuda
