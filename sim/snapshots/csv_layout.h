#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/snapshots/format.h"
#include "sim/snapshots/text_table.h"

namespace orrery::sim {

/// What a column of a text table holds.
enum class Column : std::uint8_t {
  skip,
  id,
  mass,
  charge,
  x,
  y,
  z,
  vx,
  vy,
  vz,
  component,
  galaxy,
  time,
  frame
};
inline constexpr std::size_t column_count = 14;

/// What a name in a header means: case, blanks, underscores and units in brackets do not matter. Empty:
/// unknown.
std::optional<Column> column_from_name(std::string_view name);
/// The name as column_from_name() compares it: lower-case letters and digits, without a unit in brackets.
std::string plain_column_name(std::string_view name);

/// The columns of rows without names, and what they were taken as, for people.
struct RowColumns {
  std::vector<Column> columns;  ///< empty: rows of this width are of no known layout
  std::string taken_as;
};
/// Decides by `named` (ReadOptions::columns) or, if that is empty, by width and numbers as in a text table
/// without a header. Throws UsageError for a wrong `named`.
RowColumns columns_of_rows(const std::vector<std::vector<double>>& rows, std::string_view named);

/// How a text table is laid out and where its rows begin.
struct TableLayout {
  Separator separator = Separator::blanks;
  std::vector<Column> columns;
  std::string description;             ///< for Scene::source, e.g. "header id,mass,x,y,z"
  std::size_t data_offset = 0;         ///< of the first row, in bytes
  std::size_t data_line = 0;           ///< number of lines before it
  std::optional<std::uint64_t> count;  ///< bodies that a block of numbers before the rows announces
  double time = 0.0;
  std::vector<std::string> notes;

  /// Whether some column of the file holds this quantity.
  bool has(Column column) const;
};

/// Finds header, separator and columns of the table in `text` (the bytes of `file` without a byte order
/// mark). `columns` (ReadOptions::columns), if not empty, names them instead. Throws Error that names the
/// line, or UsageError for a wrong `columns`.
TableLayout find_layout(const FileView& file, std::string_view text, std::string_view columns);

/// Throws Error "cannot read 'path': line N: <what>".
[[noreturn]] void refuse_line(const FileView& file, std::size_t line, std::string_view what);

}  // namespace orrery::sim
