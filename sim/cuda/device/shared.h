// What host and device both know, whatever the family. C++ includes it; the run-time compiler gets it before
// everything else.
#ifndef __CUDACC_RTC__
#pragma once

#include <cstdint>

namespace orrery::sim::cuda {
#endif

#ifdef __CUDACC_RTC__
typedef unsigned int index_t;         // of a body
typedef unsigned long long offset_t;  // of a number
#else
using index_t = std::uint32_t;   ///< of a body
using offset_t = std::uint64_t;  ///< of a number
#endif

/// The work of one block of a batched launch: targets [begin, end) of a galaxy with the sources [first,
/// last).
struct WorkItem {
  index_t first, last, begin, end;
  index_t target;    ///< the block's first target
  index_t column;    ///< which sources, where blocks do not take all
  offset_t scratch;  ///< first real of the galaxy's partial sums
};
static_assert(sizeof(WorkItem) == 32, "a table in device memory");

/// Ranges in constant memory with constants=constant-memory-all instead of arguments: sources
/// and targets of a force kernel, and the bodies that the map's kernels count.
struct ForceRange {
  index_t first, last, begin, end;
};
struct CountRange {
  index_t begin, end;
};

/// Where an activity map looks, as sim::MapGrid (sim/activity/activity_map.h), and what its cells say.
struct MapCells {
  float left, right, bottom, top;  // a closed box
  float columns_per_length, rows_per_length;
  float factor, most;  // a cell's value is count x factor, at most `most`
  index_t size;        // cells along a side
  index_t column_axis, row_axis;
};

/// A moment of a step with individual steps (sim::BlockLevels), as the kernels of individual_steps.cu take
/// it.
struct StepMoment {
  double step;              // of the whole, time
  double accuracy, length;  // sim::StepCriterion
  index_t now;              // since the begin, in units of the shortest step
  int ends, begins;         // steps do
};

/// Threads of a block. (Enumerations: constants would take memory of the device.)
enum : int {
  adding_block = 256,     ///< that adds partial sums of tiled-2d, a body each
  tree_bodies = 32,       ///< the same with sum=tree: bodies of a block
  tree_parts = 16,        ///< and threads of a body, a power of two
  moving_block = 256,     ///< that moves bodies
  counting_block = 1024,  ///< that adds up how many bodies are active
  deepest_level = 16,     ///< sim::BlockLevels::deepest
  jerk_tile = 128,        ///< sources that a block stages when it sums jerks
  map_block = 256,        ///< that counts bodies in an activity map
  map_header = 64         ///< floats before the cells of a published map (sim::map_header)
};

#ifndef __CUDACC_RTC__
}  // namespace orrery::sim::cuda
#endif
