#pragma once

#include "sim/tree/octree.h"

// Mistakes that people make when they build a tree: each is done to a right one.
namespace orrery::sim {

/// Second moments with the wrong sign.
inline void turn_second_moments(Octree& tree) {
  for (auto& moments : tree.moments_to_change()) {
    for (auto& each : moments) each = -each;
  }
}

/// Third moments with the wrong sign.
inline void turn_third_moments(Octree& tree) {
  for (auto& moments : tree.third_to_change()) {
    for (auto& each : moments) each = -each;
  }
}

/// Every 20th cell below the first two loses its last part: who opens it does not meet it.
inline void forget_children(Octree& tree) {
  const auto nodes = tree.nodes_to_change();
  for (std::size_t k = 2; k < nodes.size(); k += 20) {
    if (!nodes[k].is_leaf()) --nodes[k].children;
  }
}

/// A cell's box is that of its first part, as if it had not grown with the others.
inline void keep_boxes_of_first_parts(Octree& tree) {
  const auto nodes = tree.nodes_to_change();
  for (std::size_t k = nodes.size(); k-- > 0;) {
    if (nodes[k].is_leaf()) continue;
    const auto& first = nodes[nodes[k].child];
    nodes[k].size = first.size, nodes[k].offset = first.offset, nodes[k].reach = first.reach;
  }
}

/// Compact groups of bodies are never opened, so that their own bodies feel them as one cell. A group is
/// compact here if it is a tenth as large as the cell around it, as no part of a smooth sphere is.
inline void ignore_insides_of_clumps(Octree& tree) {
  constexpr std::uint32_t least_bodies = 32;
  const auto nodes = tree.nodes_to_change();
  for (const auto& cell : tree.nodes()) {
    for (std::uint32_t k = cell.child; k < cell.child + cell.children; ++k) {
      auto& part = nodes[k];
      // A leaf without bodies is what a walk takes whole from any distance (essential_tree.h).
      if (part.count >= least_bodies && part.size < 0.1F * cell.size)
        part.child = part.children = part.count = 0;
    }
  }
}

}  // namespace orrery::sim
