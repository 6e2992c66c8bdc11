#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/core/vec3.h"
#include "sim/tree/curve_grid.h"
#include "sim/tree/curve_sort.h"
#include "sim/tree/tree_settings.h"

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

/// An octree of bodies in the order of Hilbert's curve. The same bodies give the same tree, bit for bit, for
/// any number of threads: places come from sums over the levels, and sums of masses are done by one thread a
/// cell.
class Octree {
 public:
  /// Builds the tree of these bodies. The vectors of an earlier tree are used again. Positions are finite; 1
  /// to 2^32 - 1 bodies.
  void build(std::span<const Vec3> position, std::span<const float> mass, const OctreeShape& shape,
             int threads);

  /// The cells of the last build with the same bodies where they are now: centres, moments and boxes are new,
  /// and the order is as it was. As many bodies and the same shape as then.
  void move(std::span<const Vec3> position, std::span<const float> mass, int threads);
  /// True if a tree of that many bodies was built, to be moved.
  bool holds(std::size_t bodies) const { return !levels_.empty() && bodies_.order.size() == bodies; }
  /// Forgets the tree.
  void forget() { levels_.clear(); }

  /// The root first, then level by level; the parts of a cell stand side by side.
  std::span<const TreeNode> nodes() const { return std::span(nodes_).first(count()); }
  /// Second moments of each node, stored separately because a walk reads few of them.
  std::span<const SecondMoments> moments() const { return std::span(moments_).first(count()); }
  /// Third moments of each node, if they were requested.
  std::span<const ThirdMoments> third() const {
    return std::span(third_).first(third_.empty() ? 0 : count());
  }
  /// The numbers of all three, to be changed by tests of whether mistakes are noticed.
  std::span<TreeNode> nodes_to_change() { return std::span(nodes_).first(count()); }
  std::span<SecondMoments> moments_to_change() { return std::span(moments_).first(count()); }
  std::span<ThirdMoments> third_to_change() { return std::span(third_).first(third().size()); }
  /// The smallest box around the bodies of each node.
  std::span<const Box> boxes() const { return std::span(boxes_).first(count()); }
  /// The key at each place of the curve, and the body there. Where more bodies than a leaf holds have one
  /// key, the keys are those of a finer grid of their own.
  std::span<const KeyedIndex> keys() const { return bodies_.keys; }
  /// The body at each place of the curve.
  std::span<const std::uint32_t> order() const { return bodies_.order; }
  /// Positions and masses in the order of the curve.
  std::span<const Vec3> position() const { return bodies_.position; }
  std::span<const float> mass() const { return bodies_.mass; }
  /// The first node of each level, and after the last one the number of nodes.
  std::span<const std::size_t> levels() const { return levels_; }

 private:
  void grow(std::size_t leaf_size, int threads);
  std::size_t add_level(std::size_t leaf_size, int threads);
  void weigh(int threads);
  std::size_t count() const { return levels_.empty() ? 0 : levels_.back(); }

  CurveSort sort_;
  CurveBodies bodies_;
  std::vector<std::size_t> levels_;
  // Of as many nodes as levels_ says, with room after them.
  std::vector<TreeNode> nodes_;
  std::vector<SecondMoments> moments_;
  std::vector<ThirdMoments> third_;  ///< none where they were not asked for
  std::vector<Box> boxes_;
  std::vector<std::array<std::uint32_t, 9>> borders_;  ///< boundaries between the parts of a level's cells
};

}  // namespace orrery::sim
