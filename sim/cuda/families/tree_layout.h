#pragma once

#include <cstddef>

#include "sim/cuda/families/force_queue.h"
#include "sim/cuda/families/tree_domain_shapes.h"
#include "sim/cuda/families/tree_shapes.h"
#include "sim/tree/tree_settings.h"

namespace orrery::sim::cuda::tree {

/// Bits of a key for each axis, by which all bodies are sorted, and passes of that sort. Bodies with one key
/// are told apart by a finer grid of their own.
inline constexpr int key_bits = 16, passes = 3 * key_bits / digit_bits;
static_assert(key_bits % 2 == 0 && local_bits % 2 == 0, "keys are made by two bits at a time");
static_assert(key_bits + local_bits + number_digits + 1 <= most_levels, "each digit has a level");
/// Tiles of bodies whose cells a block marks.
std::size_t build_tiles(std::size_t bodies);
/// Nodes that a walk can tell apart: 5 bits of its stack's words say other things (tree_lists.cuh).
inline constexpr std::size_t most_nodes = std::size_t{1} << 27U;
/// Nodes that there is room for. A cell without room for its parts stays a leaf, whatever it holds; only
/// bodies laid out for that come near it.
std::size_t node_capacity(std::size_t bodies, std::size_t leaf_size);
/// Room after a tree for what comes from other domains (tree_domains.h).
struct Capacity {
  std::size_t nodes = 0, bodies = 0;
  std::size_t imports = 0;  ///< capacity of the tree for bodies besides its own
};
/// The bodies in the tree of a domain.
struct Imports {
  const TreeCurve* curve = nullptr;
  std::size_t now = 0, left = 0;    ///< imports that are there, and own bodies that are elsewhere
  std::size_t all = 0;              ///< bodies of all domains
  DeviceAddress bodies = 0;         ///< position and mass of imports, 16 bytes each
  DeviceAddress owner = 0;          ///< TreeLeavers::owner
  DeviceAddress accelerations = 0;  ///< accelerations of own bodies, then of imported ones
  DeviceAddress work = 0;           ///< TreeMemory::work
};
/// The shape of the tree that the kernels of this configuration build.
OctreeShape shape_of(const KernelConfiguration& kernel);
/// Bytes of a tree of that many bodies.
std::size_t bytes(std::size_t bodies, const OctreeShape& shape, const Capacity& more = {});
/// Bytes at its beginning that are zeros before it is built.
std::size_t zero_bytes(std::size_t bodies);
/// The arrays of a tree that begins at this address.
TreeMemory memory(DeviceAddress begin, std::size_t bodies, const OctreeShape& shape,
                  const Capacity& more = {});
/// The settings as the kernels take them, for a tree of that many bodies, in a galaxy of `all`, and a GPU
/// that walks with that many warps at once. A group that meets far more than groups usually do, as one in a
/// sparse halo around a core, is walked again in pieces.
TreeWalk walk(const TreeSettings& settings, std::size_t bodies, std::size_t all, std::size_t warps);
/// Queues the kernels that build a galaxy's tree at the begin of scratch memory: all but the walk. Leaves are
/// those of the queue's kernel. `imports`: of a domain.
void queue_cells(ForceQueue& queue, const GalaxyRange& galaxy, const Capacity& more = {},
                 const Imports* imports = nullptr);
/// Queues the walk alone.
void queue_walk(ForceQueue& queue, const GalaxyRange& galaxy, const Capacity& more, const Imports& imports);
/// The walk's settings as queue_cells and queue_walk have them.
TreeWalk walk_of(const ForceQueue& queue, std::size_t bodies, const Imports* imports);

}  // namespace orrery::sim::cuda::tree
