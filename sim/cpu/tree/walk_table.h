#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/tree/octree.h"
#include "sim/tree/tree_settings.h"

namespace orrery::sim {

/// The numbers of a node that forces need: x, y, z of its centre of mass, mass, second moments; in the units
/// of the bodies, and by itself in a line of the cache.
struct alignas(64) CellNumbers {
  std::array<float, 12> number = {};
};

/// Third moments (octree.h), times 7.5 and in units of the tree's size: they pull over s^2 and that size.
struct alignas(32) ThirdNumbers {
  std::array<float, 8> number = {};
};

/// The nodes as a walk reads them, as columns: the parts of a cell stand side by side, and a vector holds
/// several. In units of the tree's size and mass, so that single precision holds all squares. Behind the last
/// node there is room for a vector.
struct WalkTable {
  WalkTable() = default;
  WalkTable(const Octree& tree, const TreeSettings& settings, double eps_squared, int threads);
  /// Fills the table anew, in the memory that it has.
  void assign(const Octree& tree, const TreeSettings& settings, double eps_squared, int threads);

  std::vector<float> x, y, z, mass;
  /// A cell is far from a group's box at d if d^2 is above `reach`, the square of its own reach, and what
  /// cell_rule() makes of d^2 is above `opening` times a factor of the group.
  /// Relative: opening = (caution M reach^n)^p, factor = (alpha a)^-p, with n and p = 2 / (n + 2) of the
  /// order (tree_settings.h). Geometric: (size / theta + offset)^2, factor 1. Infinite for leaves of so few
  /// bodies that a cell costs more.
  std::vector<float> opening, reach;
  CellRule rule;                               ///< opening rule of the tree
  std::vector<float> size;                     ///< squared
  std::vector<std::uint32_t> child, children;  ///< 0 for leaves
  std::vector<std::uint32_t> count;            ///< number of bodies
  std::vector<std::uint32_t> first;            ///< body
  std::vector<CellNumbers> cells;              ///< mass and second moments
  std::vector<ThirdNumbers> third;             ///< likewise; none where cells have no third moments
  float length_scale = 1.0F;  ///< factor from the bodies' lengths to the table's, a power of two
  float softening_squared = 0.0F;

 private:
  void fill(const TreeNode& node, const TreeSettings& settings, std::size_t k, double mass_scale);
};

}  // namespace orrery::sim
