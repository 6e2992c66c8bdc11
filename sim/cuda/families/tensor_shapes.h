// What host and device both know of the families on tensor cores. C++ includes it; the run-time compiler gets
// it before tensor_common.cuh.
#ifndef __CUDACC_RTC__
#pragma once
namespace orrery::sim::cuda::tensor {
#endif

/// Sizes. (Enumerations: constants would take memory of the device.)
enum : int {
  staged_sources = 256,  // in shared memory at a time; the packed arrays are padded to this
  group_sources = 64,    // between two checks and additions of the accumulators
  row_targets = 16,      // targets of a product; a bit of the marks is for these and a group
  extent_blocks = 64,    // of `measure`
  // Threads of a block of each kernel.
  measuring_threads = 256,
  preparing_threads = 128,
  finishing_threads = 128,
  // tensor-pairs: tiles of staged_sources bodies meet.
  pair_threads = 128,
  pair_row_tiles = 4,
  // Where the extents begin in scratch memory, and what follows them.
  extents_at = 1024,
  head_bytes = 8192
};
static_assert(pair_threads / 32 * pair_row_tiles * row_targets == staged_sources, "a block has a tile");

/// Box and sums of some bodies, relative to the galaxy's first; their largest mass, the one after it, and all
/// mass.
struct Extent {
  float low[3], high[3], sum[3], squares, mass, second_mass, total_mass;
};
/// Packed coordinates are (x - center) * scale, masses m * mass_scale. `nearest`: least distance from the
/// centre that a factor f is taken from. `dominant`: mass of the body with more than half of all, or
/// infinity.
struct Frame {
  float center[3], scale, mass_scale, nearest, dominant;
};

// Scratch memory begins with the frame, the extents, and from head_bytes on, for each body (padded), its
// rows, distances, sums and factor: arrays one after the other, of so many bytes a body.
static_assert(sizeof(Frame) <= extents_at);
static_assert(extents_at + extent_blocks * sizeof(Extent) <= head_bytes);

/// Those arrays.
enum : unsigned long long {
  row_bytes = 32,       // left sides of the products of distances
  distance_bytes = 32,  // right sides; tensor-sum: positions, 16
  sum_bytes = 32,       // columns of the sums; tensor, tensor-pairs: 16
  factor_bytes = 4,
  packed_bytes = row_bytes + distance_bytes + sum_bytes + factor_bytes,
  total_bytes = 32  // tensor-pairs: sums of a body, four whole numbers
};

#ifndef __CUDACC_RTC__
}  // namespace orrery::sim::cuda::tensor
#endif
