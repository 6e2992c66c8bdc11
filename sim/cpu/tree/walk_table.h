#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/tree/octree.h"
#include "sim/tree/tree_settings.h"

namespace orrery::sim {

/// Units of the numbers of walks.
struct WalkUnits {
  float length_scale = 1.0F;  ///< a power of two: places of walks over places of bodies
  double mass_scale = 0.0;    ///< masses likewise

  WalkUnits() = default;
  /// Units for bodies of that total mass in a box of that size, or as far from 0 as `distance`. The softening
  /// counts as a size.
  WalkUnits(double size, double distance, double mass, double eps_squared);
  /// Units for a tree.
  WalkUnits(const TreeNode& root, double eps_squared);
};

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
  /// A table in units that several tables share.
  WalkTable(const TreeView& tree, const TreeSettings& settings, const WalkUnits& units, double eps_squared,
            int threads);
  /// The same once more, in the memory that is there.
  void assign(const TreeView& tree, const TreeSettings& settings, const WalkUnits& units, double eps_squared,
              int threads);

  std::vector<float> x, y, z, mass;
  /// A cell is far from a group's box at d if d^2 is above `reach`, the square of its own reach, and what
  /// cell_rule() makes of d^2 is above `opening` times a factor of the group.
  /// Relative: opening = (caution M reach^n)^p, factor = (alpha a)^-p, with n and p = 2 / (n + 2) of the
  /// order (tree_settings.h). Geometric: (size / theta + offset)^2, factor 1. Infinite for leaves of so few
  /// bodies that a cell costs more. Both -1 where the parts of a cell are not here (essential_tree.h): it
  /// always is far.
  std::vector<float> opening, reach;
  CellRule rule;                               ///< opening rule of the tree
  std::vector<float> size;                     ///< squared
  std::vector<std::uint32_t> child, children;  ///< 0 for leaves
  std::vector<std::uint32_t> count;            ///< number of bodies
  std::vector<std::uint32_t> first;            ///< body
  std::vector<CellNumbers> cells;              ///< mass and second moments
  std::vector<ThirdNumbers> third;             ///< likewise; none where cells have no third moments
  WalkUnits units;
  float length_scale = 1.0F;  ///< factor from the bodies' lengths to the table's, a power of two
  float softening_squared = 0.0F;
  /// For coarse pulls: a cell that is nearer than its size, and has no parts here, acts as if it were spread
  /// over its size.
  bool spread = false;

 private:
  void fill(const TreeNode& node, const TreeSettings& settings, std::size_t k, double mass_scale);
};

}  // namespace orrery::sim
