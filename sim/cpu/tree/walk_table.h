#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/tree/octree.h"
#include "sim/tree/tree_settings.h"

namespace orrery::sim {

/// What a walk reads of each node, as columns: the parts of a cell stand side by side, and a vector holds
/// several. In units of the tree's size and mass, so that single precision holds all squares. Behind the last
/// node there is room for a vector.
struct WalkTable {
  WalkTable(const Octree& tree, const TreeSettings& settings, double eps_squared, int threads);

  std::vector<float> x, y, z, mass;
  /// A cell is far from a group's box at d if d^2 is above `reach`, the square of its own reach, and above
  /// `opening` times a factor of the group. Relative: opening = (M reach^3)^(2/5), factor = (alpha a)^(-2/5).
  /// Geometric: (size / theta + offset)^2, factor 1. Infinite for leaves of so few bodies that a cell costs
  /// more.
  std::vector<float> opening, reach;
  std::vector<float> size;                     ///< squared
  std::vector<std::uint32_t> child, children;  ///< 0 for leaves
  std::vector<std::uint32_t> count;            ///< of bodies
  float length_scale = 1.0F;                   ///< a power of two: places here over places of bodies
  float softening_squared = 0.0F;

 private:
  void fill(const Octree& tree, const TreeSettings& settings, std::size_t node, double mass_scale);
};

}  // namespace orrery::sim
