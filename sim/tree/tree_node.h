#pragma once

#include <array>
#include <cstdint>

#include "sim/core/vec3.h"

namespace orrery::sim {

/// A cell of the tree: what a body far away needs of the bodies in it, and where they and its parts are.
/// Lengths and masses are in the units of the bodies.
struct TreeNode {
  Vec3 center;          ///< centre of mass; the centre of the box if nothing in it has mass
  float mass = 0.0F;    ///< mass of all bodies in the cell
  float size = 0.0F;    ///< longest side of the smallest box around its bodies
  float offset = 0.0F;  ///< distance from the centre of mass to the centre of that box
  /// All bodies are within this distance of the centre of mass: at most that of the box's farthest corner,
  /// and at most that of a part's centre and the part's own reach (Salmon and Warren, J. Comp. Phys. 111,
  /// 136, 1994).
  float reach = 0.0F;
  std::uint32_t first = 0, count = 0;     ///< its bodies, in the order of the keys
  std::uint32_t child = 0, children = 0;  ///< its parts, side by side; a leaf has none

  bool is_leaf() const { return children == 0; }
};

/// Second moments of a cell's masses about their centre, sum m x_i x_j: xx, xy, xz, yy, yz, zz.
using SecondMoments = std::array<float, 6>;

/// Third moments of a cell's masses about their centre without their traces, over the cell's size: the part
/// of sum m x_i x_j x_k that pulls where there is no softening. xxx, xxy, xxz, xyy, xyz, yyy, yyz; those with
/// two z follow, since the sum over two equal indices is 0.
using ThirdMoments = std::array<float, 7>;

}  // namespace orrery::sim
