#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <exception>
#include <functional>
#include <iterator>
#include <set>

#include "sim/bodies/components.h"
#include "sim/bodies/origin.h"
#include "sim/core/counted.h"
#include "sim/core/large_array.h"
#include "sim/core/letters.h"
#include "sim/core/message.h"
#include "sim/core/progress.h"
#include "sim/snapshots/check.h"
#include "sim/snapshots/csv_guess.h"
#include "sim/snapshots/csv_layout.h"
#include "sim/snapshots/foreign.h"
#include "sim/snapshots/rounding.h"
#include "snapshot_formats.h"

// Text tables of one body a line. docs/formats.md has the layouts and the rules.

namespace orrery::sim {

namespace {

bool recognizes_csv(const FileView& file) { return is_plain_text(file.bytes); }

/// The column whose value tells the snapshots of a table apart; skip: it holds one.
Column key_column(const TableLayout& layout) {
  if (layout.has(Column::time)) return Column::time;
  return layout.has(Column::frame) ? Column::frame : Column::skip;
}

/// A number of the table; empty if it is none.
std::optional<double> number_of(std::string_view field, const TableLayout& layout) {
  const auto value = parse_number(field);
  return !value && layout.decimal_commas ? parse_decimal_comma(field) : value;
}

/// The different times, or steps, of the rows, rising. Rows that are wrong are left to their reader.
std::vector<double> keys_of(std::string_view text, const TableLayout& layout) {
  const auto column = std::ranges::find(layout.columns, key_column(layout)) - layout.columns.begin();
  std::set<double> keys;
  if (key_column(layout) == Column::skip) return {};
  TextLines lines(text.substr(layout.data_offset));
  Fields fields;
  for (std::string_view content; lines.next_row(content);) {
    split_row(content, layout, fields);
    if (fields.size() != layout.columns.size()) continue;
    const auto value = number_of(fields[static_cast<std::size_t>(column)], layout);
    if (value && std::isfinite(*value)) keys.insert(*value);
  }
  return {keys.begin(), keys.end()};
}

struct Table {
  const FileView& file;
  std::string_view text;  ///< text of the rows
  const TableLayout& layout;
  const ReadOptions& options;
  std::optional<double> key;  ///< selects the rows to read: a time or a step number
};

/// Rows as bodies, and what is to be said of them.
struct ReadRows {
  Bodies bodies;
  std::vector<std::string> names;
  std::vector<std::array<double, 3>> colors;
  bool bad_ids = false;
  std::size_t unknown_components = 0;
  std::array<std::size_t, column_count> missing{};  ///< values of each column that are not there
  RoundedMasses masses;
  std::size_t bytes = 0, lines = 0;  ///< size of the text that was read
  bool left_rows = false;            ///< rows follow that the file does not announce

  /// Vectors that grow need half as much memory again.
  void reserve(std::size_t count) {
    for_each_array(bodies, [&](auto& values) {
      if (static_cast<const void*>(&values) != &bodies.color) reserve_large(values, count);
    });
  }

  /// Takes the names of the later ones.
  void append(ReadRows& later) {
    bodies.append(later.bodies);
    std::ranges::move(later.names, std::back_inserter(names));
    colors.insert(colors.end(), later.colors.begin(), later.colors.end());
    bad_ids = bad_ids || later.bad_ids;
    unknown_components += later.unknown_components;
    std::ranges::transform(missing, later.missing, missing.begin(), std::plus());
    masses.vanished += later.masses.vanished;
    masses.largest = std::max(masses.largest, later.masses.largest);
    bytes += later.bytes;
    lines += later.lines;
    left_rows = later.left_rows;
  }
};

/// Reads the rows of a part of a table into bodies.
class RowReader {
 public:
  /// `before`: the rows that precede the part.
  RowReader(const Table& table, const ReadRows& before)
      : table_(table), before_(before), options_(table.options) {
    rows_.bodies.origin = options_.origin;
    options_.masses = &rows_.masses;
    rounding_ = Rounding(options_);
  }

  /// Reads the rows that begin in the first `length` bytes of `text`, the last to its end, but no more bodies
  /// than the file announces.
  ReadRows read(std::string_view text, std::size_t length) {
    TextLines lines(text);
    for (std::string_view line; lines.offset() < length && lines.next_record(line);) {
      rows_.lines = lines.number();
      const auto content = split_comment(line).content;
      if (content.empty()) continue;
      rows_.left_rows = table_.layout.count && before_.bodies.size() + row_ == *table_.layout.count;
      if (rows_.left_rows) break;
      read_row(content);
    }
    rows_.bytes = lines.offset();
    rows_.bodies.resize(row_);
    return std::move(rows_);
  }

 private:
  void read_row(std::string_view content) {
    constexpr std::size_t at_once = 1024;
    const auto expected = table_.layout.columns.size();
    split_row(content, table_.layout, fields_);
    if (fields_.size() != expected)
      refuse(fmt::format("{} where {} are expected; complete the row or copy the file again",
                         counted(fields_.size(), "field", "fields"), expected));
    has_id_ = false;
    other_time_ = false;
    if (row_ == rows_.bodies.size()) rows_.bodies.resize(row_ + at_once);
    for (std::size_t k = 0; k < fields_.size(); ++k) take_field(table_.layout.columns[k], fields_[k]);
    if (other_time_) return;
    ++row_;
    if (table_.layout.has(Column::red)) rows_.colors.push_back(color_);
    if (table_.layout.has(Column::name)) rows_.names.push_back(readable(name_, 80));
    rows_.bad_ids = rows_.bad_ids || !has_id_;
  }

  void take_field(Column column, std::string_view field) {
    switch (column) {
      case Column::skip:
        return;
      case Column::id:
        return take_id(field);
      case Column::component:
        return take_component(field);
      case Column::name:
        name_ = unquoted(field);
        return;
      case Column::time:
      case Column::frame:  // only the rows of one snapshot are kept
        if (column == key_column(table_.layout)) other_time_ = number(field) != table_.key;
        return;
      case Column::red:
      case Column::green:
      case Column::blue:
        // An empty field and "nan" are those of a body without a colour. -1 for words, which settle_colors()
        // leaves out.
        color_.at(static_cast<std::size_t>(column) - static_cast<std::size_t>(Column::red)) =
            parse_number(field).value_or(field.empty() ? std::nan("") : -1.0);
        return;
      case Column::galaxy:
        return take_galaxy(field);
      default:
        return take_number(column, field);
    }
  }

  /// Only places must be there.
  void take_number(Column column, std::string_view field) {
    auto& bodies = rows_.bodies;
    set_number(bodies, row_, column, is_place(column) ? number(field) : number_or_none(field, column),
               rounding_);
    if (column == Column::mass && bodies.mass[row_] < 0.0F && !table_.layout.guessed.empty())
      refuse(fmt::format(
          "'{}' is a negative mass, where columns without names were taken as {}; remove the row, "
          "or name the columns with --columns",
          printable(field), table_.layout.guessed));
    if (!std::isfinite(bodies.charge[row_]))
      refuse(fmt::format("'{}' overflows single precision; convert to larger units", printable(field)));
  }

  void take_component(std::string_view field) {
    const auto known = component_of_text(field);
    rows_.bodies.component[row_] = known.value_or(Component::other);
    if (!known) ++rows_.unknown_components;
  }

  void take_id(std::string_view field) {
    auto id = number_in<std::uint64_t>(field);
    if (!id) {
      // -1, 17.0, 1e3: other programs write ids so.
      constexpr double largest_exact = 9007199254740992.0;  // 2^53
      const double value = number(field);
      if (is_integer(value) && value >= 0.0 && value <= largest_exact) id = static_cast<std::uint64_t>(value);
    }
    has_id_ = id.has_value();
    rows_.bodies.id[row_] = id.value_or(0);
  }

  void take_galaxy(std::string_view field) {
    const double value = number(field);
    if (value < 0.0 || value > 4294967295.0 || !is_integer(value)) refuse("a galaxy is a number 0, 1, ...");
    rows_.bodies.galaxy[row_] = static_cast<std::uint32_t>(value);
  }

  double number(std::string_view field) const {
    const auto value = number_of(field, table_.layout);
    if (!value && parse_decimal_comma(field))
      refuse(fmt::format("'{}' has a decimal comma; write decimal points in all rows", printable(field)));
    if (!value)
      refuse(fmt::format("'{}' is not a number (decimal point, no thousands marks)", printable(field)));
    if (!std::isfinite(*value))
      refuse(fmt::format("'{}' is not a finite number; remove the row", printable(field)));
    return *value;
  }

  /// A value that bodies can do without: an empty field and "nan" are 0, and counted.
  double number_or_none(std::string_view field, Column column) {
    const auto value = parse_number(field);
    if (value && std::isfinite(*value)) return *value;
    if (!field.empty() && !(value && std::isnan(*value))) return number(field);
    ++rows_.missing.at(static_cast<std::size_t>(column));
    return 0.0;
  }

  [[noreturn]] void refuse(std::string_view what) const {
    const auto line = table_.layout.data_line + before_.lines + rows_.lines;
    // Without a header the first row may be none.
    const bool may_be_none = table_.layout.named_by_user && before_.bodies.empty() && row_ == 0;
    refuse_line(table_.file, line,
                may_be_none
                    ? fmt::format("{}, or leave lines before the rows out, as in --set skip={}", what, line)
                    : std::string(what));
  }

  const Table& table_;
  const ReadRows& before_;
  ReadOptions options_;
  Rounding rounding_;
  ReadRows rows_;
  Fields fields_;

  // The row that is being read.
  std::size_t row_ = 0;  ///< its body; room is made for more than that
  bool has_id_ = false, other_time_ = false;
  std::string name_;
  std::array<double, 3> color_{};
};

/// Reads all rows of a table, in parts that several threads read at once and add in their order.
class TableReader {
 public:
  explicit TableReader(const Table& table)
      : table_(table), ticker_(table.options.progress, table.text.size(), 0.0F, 0.8F) {}

  Scene read() {
    if (key_column(table_.layout) == Column::skip) reserve();
    read_parts();
    if (failure_) std::rethrow_exception(failure_);
    if (table_.layout.count && rows_.bodies.size() != *table_.layout.count)
      cannot_read(table_.file.path,
                  fmt::format("it says that it holds {} but ends after {}; copy it again",
                              counted(*table_.layout.count, "body", "bodies"), rows_.bodies.size()));
    return take_scene();
  }

 private:
  static constexpr std::size_t part_bytes = std::size_t{1} << 18;

  void reserve() {
    constexpr std::size_t looked_at = 100;
    TextLines lines(table_.text);
    std::string_view line;
    while (lines.number() < looked_at && lines.next(line)) {
    }
    if (lines.number() < looked_at) return;
    const auto rows = table_.text.size() / (lines.offset() / looked_at) + looked_at;
    rows_.reserve(std::min<std::size_t>(rows, table_.layout.count.value_or(rows)));
  }

  /// Where the first line of a part begins; its end: none does. A line may be within a quoted field.
  std::size_t first_line(std::size_t part) const {
    if (part == 0) return 0;
    const auto before = part * part_bytes - 1;
    return std::min(table_.text.substr(0, end_of(part)).find('\n', before), end_of(part) - 1) + 1;
  }

  std::size_t end_of(std::size_t part) const { return std::min((part + 1) * part_bytes, table_.text.size()); }

  ReadRows rows_from(std::size_t begin, std::size_t part, const ReadRows& before) const {
    return RowReader(table_, before).read(table_.text.substr(begin), end_of(part) - begin);
  }

  void read_parts() {
    const auto count = (table_.text.size() + part_bytes - 1) / part_bytes;
#pragma omp parallel for ordered schedule(dynamic) if (count > 1)
    for (std::size_t part = 0; part < count; ++part) {
      if (done_) continue;
      auto rows = try_part(part);
#pragma omp ordered
      take(part, rows);
    }
  }

  /// Other threads read what precedes the part meanwhile. Empty where a row cannot be read.
  std::optional<ReadRows> try_part(std::size_t part) const noexcept;
  void take(std::size_t part, std::optional<ReadRows>& rows) noexcept;

  /// Adds the rows of a part. A part is read again, now that one knows what precedes it, if it began within a
  /// row, if it failed, and if it may hold more than the file announces.
  void add(std::size_t part, std::optional<ReadRows>& rows) {
    if (rows_.bytes >= end_of(part)) return;
    const bool is_last =
        rows && table_.layout.count && rows_.bodies.size() + rows->bodies.size() >= *table_.layout.count;
    if (first_line(part) != rows_.bytes || !rows || is_last) rows = rows_from(rows_.bytes, part, rows_);
    rows_.append(*rows);
  }

  Scene take_scene() {
    Scene scene;
    scene.bodies = std::move(rows_.bodies);
    scene.names = std::move(rows_.names);
    scene.radii.resize(scene.names.size());
    scene.notes = table_.layout.notes;
    scene.time = table_.key && table_.layout.has(Column::time) ? *table_.key : *table_.layout.time;
    scene.source = fmt::format("text table, {}", table_.layout.description);
    settle_ids(scene, table_.layout.has(Column::id), !rows_.bad_ids);
    if (table_.layout.has(Column::red)) settle_colors(scene, rows_.colors);
    if (table_.layout.has(Column::galaxy)) settle_galaxies(scene);
    if (!table_.layout.has(Column::z)) scene.notes.emplace_back("the file is two-dimensional: z = 0");
    for (std::size_t k = 0; k < rows_.missing.size(); ++k)
      if (rows_.missing[k] > 0)
        scene.notes.push_back(fmt::format("{} without {}: 0 was taken",
                                          counted(rows_.missing[k], "body", "bodies"),
                                          name_of(static_cast<Column>(k))));
    if (!table_.layout.has(Column::mass)) assume_equal_masses(scene);
    if (!table_.layout.has(Column::vx)) assume_no_velocities(scene);
    if (rows_.unknown_components > 0)
      scene.notes.push_back(counted(rows_.unknown_components,
                                    "body of a component of unknown name is 'other'",
                                    "bodies of a component of unknown name are 'other'"));
    if (rows_.left_rows)
      scene.notes.push_back(fmt::format("only the first {} shown: the file says so",
                                        counted(scene.bodies.size(), "row is", "rows are")));
    if (table_.options.masses != nullptr) *table_.options.masses = rows_.masses;
    return scene;
  }

  Table table_;
  Ticker ticker_;
  ReadRows rows_;
  std::exception_ptr failure_;
  std::atomic<bool> done_ = false;
};

std::optional<ReadRows> TableReader::try_part(std::size_t part) const noexcept try {
  const auto begin = first_line(part);
  return rows_from(begin, part, {});
} catch (const std::exception&) {
  return std::nullopt;
}

/// By one thread at a time, in the order of the parts. Nothing leaves a parallel region but by failure_.
void TableReader::take(std::size_t part, std::optional<ReadRows>& rows) noexcept try {
  if (done_) return;
  ticker_.at(rows_.bytes);
  add(part, rows);
  done_ = rows_.left_rows;
} catch (...) {
  failure_ = std::current_exception();
  done_ = true;
}

Scene read_csv(const FileView& file, const ReadOptions& options) {
  const auto text = text_of(file.bytes);
  const auto layout = find_layout(file, text, options.columns, options.skip);
  const auto keys = keys_of(text, layout);
  if (options.snapshot > 0 && options.snapshot >= keys.size())
    cannot_read(file.path, fmt::format("it has {} only", counted(std::max<std::size_t>(keys.size(), 1),
                                                                 "snapshot", "snapshots")));
  const auto key = keys.empty() ? std::nullopt : std::optional(keys[options.snapshot]);
  auto scene = TableReader({file, text.substr(layout.data_offset), layout, options, key}).read();
  scene.snapshots = std::max<std::size_t>(keys.size(), 1);
  // Without times the steps tell the snapshots apart.
  if (keys.size() > 1) scene.time = *key;
  layout.units.settle(scene, layout.has(Column::mass), options.units);
  suggest_force_law(scene);
  return scene;
}

std::size_t count_csv(const FileView& file, const ReadOptions& options) {
  const auto text = text_of(file.bytes);
  return keys_of(text, find_layout(file, text, options.columns, options.skip)).size();
}

// ---- Writing ----

std::string with_doubled_quotes(std::string text) {
  for (std::size_t at = 0; (at = text.find('"', at)) != std::string::npos; at += 2) text.insert(at, 1, '"');
  return text;
}

/// Nine significant digits give back the same single-precision number; a position far from the origin is
/// written with all its digits. Names are quoted as RFC 4180 says.
void write_csv(const Scene& scene, const WriteOptions& options, FileWriter& out) {
  const auto& bodies = scene.bodies;
  const bool several_galaxies = bodies.galaxy.front() != bodies.galaxy.back();
  const bool charges = bodies.has_charges(), colors = bodies.has_colors();
  const bool names = scene.names.size() == bodies.size();
  out.write(fmt::format("id,mass,x,y,z{},component{}{}{}{}\n", scene.has_velocities ? ",vx,vy,vz" : "",
                        several_galaxies ? ",galaxy" : "", charges ? ",charge" : "",
                        colors ? ",red,green,blue" : "", names ? ",name" : ""));
  fmt::memory_buffer row;
  const auto put = [&row]<typename... Values>(fmt::format_string<Values...> form, Values&&... values) {
    fmt::format_to(std::back_inserter(row), form, std::forward<Values>(values)...);
  };
  const auto put_vector = [&](const Vec3& v) { put(",{:.9g},{:.9g},{:.9g}", v.x, v.y, v.z); };
  const Ticker ticker(options.progress, bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    ticker.now_and_then(i);
    row.clear();
    put("{},{:.9g}", bodies.id[i], bodies.mass[i]);
    const auto x = absolute_place(bodies, i);
    bodies.origin == DVec3{} ? put_vector(bodies.position[i]) : put(",{},{},{}", x.x, x.y, x.z);
    if (scene.has_velocities) put_vector(bodies.velocity[i]);
    put(",{}", component_name(bodies.component[i]));
    if (several_galaxies) put(",{}", bodies.galaxy[i]);
    if (charges) put(",{:.9g}", bodies.charge[i]);
    if (colors && bodies.color[i] == no_color) put(",nan,nan,nan");
    if (colors && bodies.color[i] != no_color) put(",{}", fmt::join(rgb_of(bodies.color[i]), ","));
    if (names) put(",\"{}\"", with_doubled_quotes(scene.names[i]));
    row.push_back('\n');
    out.write(std::string_view(row.data(), row.size()));
  }
}

}  // namespace

const SnapshotFormat csv_format{"csv",
                                "Text table, one body a line, with or without a header",
                                "csv,txt,tab,dat",
                                false,
                                &recognizes_csv,
                                &read_csv,
                                &write_csv,
                                &count_csv,
                                {.origin = true, .colors = true, .names = true, .no_color = true}};

}  // namespace orrery::sim
