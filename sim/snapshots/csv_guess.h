#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "sim/snapshots/csv_names.h"

namespace orrery::sim {

/// True for finite whole numbers.
inline bool is_integer(double value) { return std::isfinite(value) && value == std::floor(value); }

/// How rows of numbers without names may be read.
struct ColumnGuess {
  bool clear = false;                                ///< one layout alone fits: the first
  bool directions = false;                           ///< the places may be directions on the sky
  bool turned = false;                               ///< the columns may be bodies
  std::vector<std::vector<Column>> candidates = {};  ///< those that fit, the likeliest first
};
/// Decides by the numbers of each column in the first rows (one or more). A layout fits if no mass is
/// negative and one is not zero, ids are whole and distinct, and the components of a vector are of one kind.
/// `named`: the bodies have names, and so no ids. `block`: the numbers in lines of their own before the rows.
ColumnGuess guess_columns(const std::vector<std::vector<double>>& columns, bool named,
                          std::span<const double> block);

}  // namespace orrery::sim
