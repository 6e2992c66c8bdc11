#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/tree/shared/tree_numbers.h"

namespace orrery::sim {

/// The multipole order of a cell: its mass; second moments as well; third moments as well.
enum class CellOrder { monopole, quadrupole, octupole };

/// Parameters of building and walking the tree.
struct TreeSettings {
  /// True: a cell is used as a whole where what its series leaves out is below `alpha` of the acceleration at
  /// hand; false: where it is small for its distance.
  bool relative = true;
  double alpha = 0.01;  ///< limit relative to the acceleration; 0: every cell is opened
  double theta = 0.7;   ///< size over distance; 0: no cell is used as a whole
  CellOrder order = CellOrder::quadrupole;
  bool far_series = true;       ///< far cells act by one series for the group; false: each by itself
  std::size_t leaf_size = 32;   ///< most bodies of a cell that is not divided
  std::size_t group_size = 64;  ///< bodies that walk the tree together, at most most_group
  /// On a GPU: limit of a group's interactions, as a multiple of the usual number, above which it walks again
  /// in pieces. 0: chosen by the number of bodies.
  double budget = 0.0;
  /// Steps that share a tree's order and cells, at least 1. Masses, moments and boxes are those of each step.
  std::size_t rebuild = 1;
  /// True if the block times of one step, in which bodies move little, share cells.
  bool within_a_step = false;

  /// True if a tree's cells serve more than one step.
  bool shares_cells() const { return rebuild > 1; }
  /// True if the step, or block time of a step, of this number from 0 goes on with the cells of an earlier
  /// one.
  bool keeps_cells_at(std::uint64_t number) const { return number % rebuild != 0; }
};

/// The shape of a tree.
struct OctreeShape {
  std::size_t leaf_size = 32;  ///< most bodies of a cell that is not divided
  bool third_moments = false;

  friend bool operator==(const OctreeShape&, const OctreeShape&) = default;
};
/// The moments that a walk with these settings needs.
OctreeShape shape_of(const TreeSettings& settings);

/// Radius of a group over the distance from which on cells act by one series for the whole group. The error
/// of a series points the same way for all that lies on one side, so that this does not depend on the pull,
/// and shrinks with what is allowed to one cell. The values are those of an experiment (docs/trees.md).
/// 0: no cell does.
double series_ratio(const TreeSettings& settings);

/// The power of size over distance with which what a cell leaves out begins.
int first_left_out(CellOrder order);

/// The squared distance at which a cell of mass M and reach b leaves out the pull A is (M b^n / A) to this
/// power, n = first_left_out().
double distance_power(CellOrder order);

using CellRule = CellRuleOf<double>;

/// The rule for a tree of this many bodies. With few bodies a single neighbour is much of the force on a
/// body, and the whole box counts; the more bodies there are, the more cells share the error, and the less
/// the nearest body of a group counts. Caution makes up for the smaller box and for the smaller terms of
/// higher orders, so that the median error at one alpha is the same for any number of bodies. The numbers
/// were measured on ten galaxy models, each with its own softening (docs/trees.md).
CellRule cell_rule(const TreeSettings& settings, std::size_t bodies);

/// With third moments a cell whose second ones leave out less than alpha a pulls with these alone, for
/// nearly half the price. With x = d^2 and X the smallest x at which third moments would do, that is where
/// (x / X)^5 > margin X / b^2. Infinite: nowhere.
double second_moments_margin(const TreeSettings& settings);

/// Bodies that walk together, at most; a multiple of every vector's length.
inline constexpr std::size_t most_group = 128;

}  // namespace orrery::sim
