#pragma once

#include <cstddef>

namespace orrery::sim {

/// How the tree is built and walked.
struct TreeSettings {
  /// True: a cell is used as a whole where what its series leaves out is below `alpha` of the acceleration at
  /// hand; false: where it is small for its distance.
  bool relative = true;
  double alpha = 0.01;          ///< of an acceleration; 0: no cell is used as a whole
  double theta = 0.7;           ///< size over distance; 0: no cell is used as a whole
  bool quadrupoles = true;      ///< cells pull with their second moments; false: with their mass alone
  bool far_series = true;       ///< far cells act by one series for the group; false: each by itself
  std::size_t leaf_size = 32;   ///< most bodies of a cell that is not divided
  std::size_t group_size = 64;  ///< bodies that walk the tree together, at most most_group
  /// On a GPU: times the usual number of pulls that a group may meet before it is walked again in pieces. 0:
  /// by the number of bodies.
  double budget = 0.0;
};

/// Radius of a group over the distance from which on cells act by one series for the whole group. The error
/// of a series points the same way for all that lies on one side, so that this does not depend on the pull,
/// and shrinks with what is allowed to one cell. The values are those of an experiment (docs/trees.md).
/// 0: no cell does.
double series_ratio(const TreeSettings& settings);

/// How near to a group a cell may be used as a whole, over its reach: the distance from its centre of mass to
/// the farthest corner of its box. Relative, with second moments: what the series leaves out is bounded by
/// alpha, and bodies in a cell are mostly nearer to its middle than its corners are. Otherwise 1.
double least_distance(const TreeSettings& settings);

/// With what the relative rule compares a cell (docs/trees.md, "How far is far").
struct CellRule {
  /// Times what the cell leaves out, M b^3 / d^5 or M b^2 / d^4.
  double caution = 1.0;
  /// d is the distance from a box with this part of the sides of the group's, around the same middle: most
  /// bodies of the group are not nearer to the cell.
  double inner_part = 1.0;
  /// Its square counts as at most so many times that of the distance from the whole box, which bounds the
  /// error of the nearest bodies.
  double most_times = 1.0;
};

/// The rule for a tree of so many bodies. Where there are few, one neighbour is much of what pulls a body,
/// and the whole box counts. Caution makes up for what the smaller box allows, so that alpha means the same.
CellRule cell_rule(const TreeSettings& settings, std::size_t bodies);

/// Bodies that walk together, at most; a multiple of every vector's length.
inline constexpr std::size_t most_group = 128;

}  // namespace orrery::sim
