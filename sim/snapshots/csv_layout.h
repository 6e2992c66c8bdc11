#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/snapshots/column_question.h"
#include "sim/snapshots/csv_names.h"
#include "sim/snapshots/csv_preamble.h"
#include "sim/snapshots/format.h"
#include "sim/snapshots/stated_units.h"
#include "sim/snapshots/text_table.h"

namespace orrery::sim {

/// The meanings of columns without names, by their numbers in the first rows. Throws UnclearColumns where
/// these do not decide.
std::vector<Column> columns_of_numbers(const FileView& file, const std::vector<std::vector<double>>& columns);

/// The columns of a text table, and what precedes its rows.
struct TableLayout : Preamble {
  std::vector<Column> columns = {};
  std::string description = {};             ///< description in Scene::source, e.g. "header id,mass,x,y,z"
  std::optional<std::uint64_t> count = {};  ///< bodies that a block of numbers before the rows announces
  bool decimal_commas = false;              ///< numbers may be written "0,5"
  StatedUnits units = {};                   ///< those that names and comments state
  bool named_by_user = false;               ///< the columns were named with --columns
  std::string guessed = {};  ///< meaning guessed for columns without names; empty: they have names
  std::vector<std::string> notes = {};

  /// True if a column of the file holds this quantity.
  bool has(Column column) const;
};

/// Finds header, separator and columns of the table in `text` (the bytes of `file` without a byte order
/// mark), after `skipped` lines. `columns` (ReadOptions::columns), if not empty, names them instead. Throws
/// Error that names the line, or UsageError for a wrong `columns`.
TableLayout find_layout(const FileView& file, std::string_view text, std::string_view columns,
                        std::size_t skipped = 0);

/// The fields of a row (without its comment): as many as the layout has columns, if the row is right.
void split_row(std::string_view content, const TableLayout& layout, Fields& fields);

/// The component that a field means: a name in any case, or a number from 0 (gas) to 5 (other).
std::optional<Component> component_of_text(std::string_view text);

}  // namespace orrery::sim
