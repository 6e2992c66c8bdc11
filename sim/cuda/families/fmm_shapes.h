// What host and device both know of the fast multipole method. After tree_shapes.h, whose arrays it uses.
#ifndef __CUDACC_RTC__
#pragma once

#include <cstdint>

namespace orrery::sim::cuda::fmm {
#define ORRERY_DEVICE_ARRAY(type) std::uint64_t
#else
#define ORRERY_DEVICE_ARRAY(type) type*
#endif

/// Sizes.
enum : int {
  fmm_threads = 128,
  link_threads = 256,
  slot_threads = 1024,
  group_most = 64,  // bodies that a warp sums for at a time
};

/// Blocks of the walk on a multiprocessor: as many as have room in its registers.
#ifndef __CUDACC_RTC__
constexpr
#else
__device__ constexpr
#endif
    int
    fmm_blocks(int order) {
  return order <= 3 ? 5 : order == 4 ? 4 : order == 5 ? 3 : 2;
}

/// What the kernels share; begins as zeros.
struct alignas(16) FmmCounters {
  unsigned int cells;          // targets that are divided: each has a slot
  unsigned int targets;        // all
  unsigned int taken;          // targets that warps have taken
  unsigned int singles;        // groups that are walked again body by body
  unsigned int taken_singles;  // bodies of these
  unsigned int unused[3];
};

/// Where it lies in device memory, behind the tree.
struct FmmMemory {
  ORRERY_DEVICE_ARRAY(FmmCounters) counters;
  ORRERY_DEVICE_ARRAY(unsigned int) parent;   // of a node
  ORRERY_DEVICE_ARRAY(unsigned int) slot;     // of a divided target, one after the other
  ORRERY_DEVICE_ARRAY(unsigned int) target;   // nodes that are targets, in their order
  ORRERY_DEVICE_ARRAY(unsigned int) arrived;  // parts whose moments are there
  ORRERY_DEVICE_ARRAY(unsigned int) ready;    // the slot of the cell is written
  ORRERY_DEVICE_ARRAY(uint2) single;          // 1 + first body and node of a group; bodies
  ORRERY_DEVICE_ARRAY(float) moment;          // so many of each of the first `weighed` nodes
  ORRERY_DEVICE_ARRAY(unsigned int) pool;     // slots: a local series, and the cells that parts go on with
  unsigned int weighed;
  unsigned int pool_words;
  unsigned int group;  // bodies of a target that is not divided
};

/// When a cell acts on a cell as a whole.
struct FmmRule {
  float ratio;          // of the sizes of both over their distance, at most
  float stretch;        // of the target's size in these
  unsigned int budget;  // near bodies that a group may meet, before it is walked again body by body
};

#undef ORRERY_DEVICE_ARRAY
#ifndef __CUDACC_RTC__
}  // namespace orrery::sim::cuda::fmm
#endif
