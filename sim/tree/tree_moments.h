#pragma once

#include <cstddef>
#include <span>

#include "sim/tree/curve_grid.h"
#include "sim/tree/tree_node.h"

namespace orrery::sim {

/// The numbers of all nodes of a tree, an entry a node each.
struct NodeNumbers {
  std::span<TreeNode> nodes;
  std::span<Box> boxes;
  std::span<SecondMoments> moments;
  std::span<ThirdMoments> third;  ///< empty: not computed
};

/// Works out box, mass, centre of mass and moments of a cell: of a leaf from its bodies, of others
/// from their parts, whose numbers must be there. `position` and `mass` are in the order of the curve. Sums
/// are in double precision.
void weigh_node(std::span<const Vec3> position, std::span<const float> mass, const NodeNumbers& all,
                std::size_t index);

}  // namespace orrery::sim
