#pragma once

#include <cstddef>
#include <span>

#include "sim/tree/octree.h"

namespace orrery::sim {

/// Works out box, mass, centre of mass and second moments of a cell: of a leaf from its bodies, of others
/// from their parts, whose numbers must be there. `position` and `mass` are in the order of the curve,
/// `boxes` has an entry a node. Sums are in double precision.
void weigh_node(std::span<const Vec3> position, std::span<const float> mass, std::span<TreeNode> nodes,
                std::span<Box> boxes, std::size_t index);

}  // namespace orrery::sim
