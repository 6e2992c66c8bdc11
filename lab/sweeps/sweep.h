#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/bench/rates.h"
#include "sim/options/configuration.h"

namespace orrery::lab {

/// An option and the values of it that a sweep tries.
struct SweepAxis {
  std::string option;
  std::vector<sim::OptionValue> values;
  bool named = false;  ///< the person wrote the values; otherwise they are those of `sweep_values`
  /// The value that tuning tries where an answer is too inaccurate; none: Option::accurate.
  std::optional<sim::OptionValue> accurate = {};
};

/// The default values to try of an option: its trial values; without, on and off; all choices; of whole
/// numbers all where there are at most eight, otherwise the powers of two within the limits, with 0 where it
/// has a meaning of its own; of real numbers a quarter to four times the value in `start`.
std::vector<sim::OptionValue> sweep_values(const sim::Option& option, const sim::Configuration& start);

/// Reads one or two options, "tile,unroll", or with values, "tile=64:128:256,unroll=1:4:16". Throws
/// UsageError: unknown options, bad values, the same option or value twice, options that compute nothing.
std::vector<SweepAxis> parse_sweep(const sim::OptionTable& table, std::string_view text,
                                   const sim::Configuration& start);

/// One combination.
struct SweepCell {
  sim::Configuration configuration;
  std::string refusal;  ///< not empty: it cannot run, and why
  bool measured = false;
  /// Speed of the kernel in 1e9 interactions per second, once measured; of whole steps if the sweep is about
  /// the map.
  MeasuredSpeed speed;
};

/// Every combination of one or two options. Cells stand row by row: rows are the values of the first option,
/// columns those of the second; a sweep of one option has one column and an empty second axis.
struct Sweep {
  SweepAxis rows;
  SweepAxis columns;
  std::vector<SweepCell> cells;
  /// Notes for the user: values left out, an option without effect.
  std::vector<std::string> notes;

  std::size_t row_count() const { return rows.values.size(); }
  std::size_t column_count() const { return columns.values.empty() ? 1 : columns.values.size(); }
  SweepCell& cell(std::size_t row, std::size_t column) { return cells[row * column_count() + column]; }
  const SweepCell& cell(std::size_t row, std::size_t column) const {
    return cells[row * column_count() + column];
  }
  /// True if it is about the activity map, which the kernel of the forces knows nothing of: its rates are
  /// those of whole steps.
  bool of_whole_steps() const;
  /// The fastest measured cell, or nullptr.
  const SweepCell* best() const;
  /// The different reasons of the refused cells, in order, each with the number of its cells.
  std::vector<std::pair<std::string, std::size_t>> reasons() const;
};

/// The grid of combinations around `start`, refusals judged in `context`. Values that nobody named and that
/// no combination can have are left out, with a note.
Sweep make_sweep(const sim::OptionTable& table, std::vector<SweepAxis> axes, const sim::Configuration& start,
                 const sim::OptionContext& context);

}  // namespace orrery::lab
