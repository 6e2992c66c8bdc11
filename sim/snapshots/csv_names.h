#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/snapshots/stated_units.h"
#include "sim/snapshots/text_table.h"

namespace orrery::sim {

/// The quantity in a column of a text table.
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
  frame,
  name,
  red,
  green,
  blue
};
inline constexpr std::size_t column_count = 18;
/// The component of a place or velocity on that axis; `first`: x or vx.
Column on_axis(Column first, std::size_t axis);
constexpr bool is_place(Column column) { return column >= Column::x && column <= Column::z; }
constexpr bool is_velocity(Column column) { return column >= Column::vx && column <= Column::vz; }
/// As ReadOptions::columns names it; "-" for one that is skipped.
std::string_view name_of(Column column);
/// All of them with such a sign between them.
std::string text_of(const std::vector<Column>& columns, char between = ',');

/// The quantity that a header name means: case, blanks, underscores and units in brackets do not matter.
/// Empty: unknown.
std::optional<Column> column_from_name(std::string_view name);
/// The kind of the units of a column; empty: it has none.
std::optional<UnitKind> unit_kind(Column column);
/// The unit after the name of a column; empty: none is there.
std::string_view unit_of_name(std::string_view name);
/// The name as column_from_name() compares it: lower-case letters and digits, without a unit in brackets and
/// without the number of the column ("4:x").
std::string plain_column_name(std::string_view name);

/// The columns of such names; unknown ones, and those that occur again, are skipped. u, v and w are no
/// velocities beside others, mstar is no mass beside one, and a part of a colour without the others is none.
std::vector<Column> columns_of(const Fields& names);

/// The columns that ReadOptions::columns names. Throws UsageError for unknown names, or if x and y are not
/// among them.
std::vector<Column> columns_of_option(std::string_view option);

/// True if `column` is among them.
bool contains(const std::vector<Column>& columns, Column column);

/// True if x and y are among the columns.
bool names_positions(const std::vector<Column>& columns);

/// A component of velocity that is named without the others is something else (u: internal energy).
void drop_partial_velocity(std::vector<Column>& columns);

/// The columns, where they have no velocity, with the first names that begin as those of velocities or
/// momenta taken as velocities: px, vx_lsr. Unchanged where an axis has no such name.
std::vector<Column> with_possible_velocity(const Fields& names, const std::vector<Column>& columns);

/// The names with commas between them, for messages: at most 100 characters.
std::string joined(const Fields& names);

}  // namespace orrery::sim
