// What host and device both know of the tree. C++ includes it; the run-time compiler gets it before the other
// files of the family.
#ifndef __CUDACC_RTC__
#pragma once

#include <cstdint>

#include "sim/tree/shared/tree_numbers.h"

namespace orrery::sim::cuda::tree {
#define ORRERY_DEVICE_ARRAY(type) std::uint64_t
#else
#define ORRERY_DEVICE_ARRAY(type) type*
#endif

/// Sizes. (Enumerations: constants would take memory of the device.)
enum : int {
  sampled_bodies = 512,  // whose spread decides the grid of the keys; threads of that block, too
  key_threads = 256,
  digit_bits = 8,  // of a key, sorted in one pass
  digits = 1 << digit_bits,
  most_passes = 8,
  few_digits_pass = 4,  // from here on digits of a warp are few: most bodies are in the middle of the grid
  sort_tile = 4096,     // keys of a block
  sort_threads = 256,
  wide_sort_threads = 512,
  build_threads = 256,
  refine_threads = 512,
  build_tile = 1024,   // bodies whose cells a block marks
  lanes_of_node = 8,   // that weigh a cell: one for each of its parts
  local_bits = 4,      // along an axis, of the grid over bodies with one key (tree_refine.cu)
  number_digits = 10,  // octal, of a body's number: they go on where keys are the same
  most_levels = 31,    // of the keys, those, and the root; below 32
  weigh_threads = 128,
  walk_threads = 128,
  walk_blocks = 4,  // of a multiprocessor
  few_bodies = 8,   // that a warp has of a group that meets too many
  crowd = 512,      // bodies in the box of a group that is divided at once
  most_roots = 31,  // of trees of other domains
};

/// Indices of the 64-bit counters of a walk, in the order of ForceCounts.
enum WalkCount : int {
  count_interactions,  // bodies and cells summed, of all bodies
  count_crowded,       // groups that were divided for the bodies in their box
  count_over_budget,   // groups that were divided for meeting too many
  count_parts,         // parts of groups whose bodies were computed one by one
  count_in_parts,      // interactions in parts of groups
  walk_counts
};

/// Counters that the kernels of one tree share; they begin as zeros. The part before the grid belongs to one
/// walk.
struct alignas(16) TreeCounters {
  unsigned int stragglers[2];  // groups that are walked again by few_bodies, and those of these by one
  unsigned int parts[2];       // of these: taken
  unsigned int groups;         // that warps have taken
  float center[3];             // of the grid
  float spread;                // of most bodies along an axis
  unsigned int nodes[most_levels];
  unsigned int digit[most_passes * digits];  // keys with it
  unsigned int ticket[most_passes];
  unsigned int roots, root[most_roots];  // of trees of other domains (tree_domains.cu)
};

/// Where a tree lies in device memory: arrays of so many numbers for each body or node.
struct TreeMemory {
  ORRERY_DEVICE_ARRAY(TreeCounters) counters;
  ORRERY_DEVICE_ARRAY(unsigned int) status;        // of a pass: digits for each tile
  ORRERY_DEVICE_ARRAY(unsigned long long) key[2];  // of bodies, in turns
  ORRERY_DEVICE_ARRAY(unsigned int) order[2];      // the body, counted from the galaxy's first
  ORRERY_DEVICE_ARRAY(float4) body;                // place and mass, in the order of the keys
  ORRERY_DEVICE_ARRAY(unsigned int) cells;         // of each level: cells that begin in a tile of bodies
  ORRERY_DEVICE_ARRAY(uint4) range;                // of a node: first body, bodies, first part, parts
  ORRERY_DEVICE_ARRAY(float4) center;              // of mass; mass
  ORRERY_DEVICE_ARRAY(float4) opening;      // squared distances: reach; first part or body; count; whole
  ORRERY_DEVICE_ARRAY(float4) moment;       // 3 x xx, xy, xz, yy
  ORRERY_DEVICE_ARRAY(float2) more_moment;  // 3 x yz, zz
  // order=octupole, else 0: 7.5 x third moments without traces, over the cell's reach. xxx, xxy, xxz, xyy;
  // xyz, yyy, yyz, and that reach.
  ORRERY_DEVICE_ARRAY(float4) third[2];
  // Corners of the smallest box. Bits behind them: the cell whose part it is (tree_build.cu), and how many of
  // its own bodies are weighed.
  ORRERY_DEVICE_ARRAY(float4) low;
  ORRERY_DEVICE_ARRAY(float4) high;
  ORRERY_DEVICE_ARRAY(unsigned int) straggler[2];  // 1 + first body of what is walked again
  unsigned int capacity;                           // nodes
  unsigned int bodies;
  ORRERY_DEVICE_ARRAY(unsigned char) level;  // individual steps: of the bodies; 0: all are computed,
  unsigned int least_level;                  // else those of at least this one
  ORRERY_DEVICE_ARRAY(unsigned int) work;    // of 32 bodies each: what they cost; 0: nobody asks
  // In a domain (tree_domains.cu): bodies of others that are behind `own` ones; which domain computes each of
  // these, and which one this is. 0: there are none.
  ORRERY_DEVICE_ARRAY(float4) guest;
  ORRERY_DEVICE_ARRAY(unsigned char) owner;
  unsigned int own, domain;
};

/// How the tree is walked (sim::TreeSettings).
struct TreeWalk {
  float alpha;          // opening=relative: of the acceleration at hand
  float inverse_theta;  // opening=geometric; 0: relative
  float series;         // squared: radius of a group over the distance of cells that go into its series
  unsigned int whole;   // bodies in groups of the full size; those behind them are in groups of half of it
  unsigned int budget;  // bodies and cells that a group meets at most, before it is walked by fewer
  int relative;
  int quadrupoles;    // 0: cells pull with their mass alone
  int third_moments;  // 1: there are third ones. Read where one program has both walks: tree_moments.cu
  CellRuleOf<float> rule;
};

#undef ORRERY_DEVICE_ARRAY
#ifndef __CUDACC_RTC__
}  // namespace orrery::sim::cuda::tree
#endif
