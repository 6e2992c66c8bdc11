#pragma once

#include <cmath>
#include <string_view>
#include <vector>

#include "sim/snapshots/csv_preamble.h"
#include "sim/snapshots/format.h"

namespace orrery::sim {

/// True for finite whole numbers.
inline bool is_integer(double value) { return std::isfinite(value) && value == std::floor(value); }

/// A layout of columns without names.
struct LayoutGuess {
  std::string_view columns;  ///< as --columns has them; empty: none is known
  std::string_view name;     ///< the layout for people
};
/// Guesses the layout from the numbers of the first rows (one or more) and from the block of numbers before
/// them. Throws Error where they do not decide.
LayoutGuess guess_columns(const FileView& file, const Preamble& preamble,
                          const std::vector<std::vector<double>>& sample);

}  // namespace orrery::sim
