#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/cpu/simd/instruction_sets.h"
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

/// A walk through a table for one group, and what it finds. Lengths and masses in the table's units.
struct BlockWalk {
  const WalkTable* table = nullptr;
  const InstructionSet* instructions = nullptr;
  float least[3] = {}, most[3] = {};              ///< the group's box
  float inner_least[3] = {}, inner_most[3] = {};  ///< box with most of its bodies (tree_settings.h)
  float factor = 1.0F;                            ///< multiplier of `opening`; infinite: every cell is opened
  float middle[3] = {};                           ///< expansion centre of the group's series
  float series_squared = 0.0F;  ///< beyond that squared distance from there cells are of the series
  /// Nodes, with room beyond their counts: cells, those of them that need their third moments, those of the
  /// series, leaves.
  std::vector<std::uint32_t> cells, third, far, leaves;
  std::size_t cell_count = 0, third_count = 0, far_count = 0, leaf_count = 0;
  std::size_t body_count = 0;   ///< bodies in the leaves found so far
  std::size_t most_bodies = 0;  ///< limit of body_count at which the walk ends early
  /// Cells whose parts are met, in the order in which they were found: unlike with a stack, the next one
  /// does not wait for what the last one is found to be.
  std::vector<std::uint32_t> queue;
  std::size_t queue_count = 0;

  /// Fills cells and leaves, several parts of a cell at once.
  void walk();
  /// The pull in the middle of the box, roughly: cells are opened up to their size. Cells that begin in the
  /// box are left out: they would pull hard. If pulls cancel, as in the centre of a galaxy, a hundredth of
  /// the sum of their magnitudes is used instead, because an error relative to nothing cannot be met.
  float coarse_pull();
  /// The numbers of the far cells as columns, positions relative to `from`; room for a vector after the last.
  void copy_far(const Vec3& from, std::span<std::vector<float>, 10> columns);
  /// Copies the third moments of the far cells as columns; the tree must have them.
  void copy_far_third(std::span<std::vector<float>, 7> columns) const;
  /// The bodies of the leaves.
  void copy_bodies(const Octree& tree, std::span<std::array<float, 4>> bodies) const;
};

}  // namespace orrery::sim
