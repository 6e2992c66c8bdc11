#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cmath>
#include <exception>
#include <functional>
#include <iterator>
#include <set>

#include "sim/bodies/components.h"
#include "sim/bodies/origin.h"
#include "sim/core/counted.h"
#include "sim/core/large_array.h"
#include "sim/core/message.h"
#include "sim/core/progress.h"
#include "sim/snapshots/check.h"
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

/// The different times, or steps, of the rows, rising. Rows that are wrong are left to their reader.
std::vector<double> keys_of(std::string_view text, const TableLayout& layout) {
  const auto column = std::ranges::find(layout.columns, key_column(layout)) - layout.columns.begin();
  std::set<double> keys;
  if (key_column(layout) == Column::skip) return {};
  TextLines lines(text.substr(layout.data_offset));
  Fields fields;
  std::string_view line;
  while (lines.next_record(line)) {
    const auto content = split_comment(line).content;
    if (content.empty()) continue;
    split_row(content, layout, fields);
    if (fields.size() != layout.columns.size()) continue;
    const auto field = fields[static_cast<std::size_t>(column)];
    auto value = parse_number(field);
    if (!value && layout.decimal_commas) value = parse_decimal_comma(field);
    if (value && std::isfinite(*value)) keys.insert(*value);
  }
  return {keys.begin(), keys.end()};
}

/// Rows as bodies, and what is to be said of them.
struct ReadRows {
  Bodies bodies;
  std::vector<std::string> names;
  std::vector<std::array<double, 3>> colors;
  bool bad_ids = false;
  std::size_t unknown_components = 0;
  std::array<std::size_t, column_count> missing{};  ///< values of each column that are not there
  RoundedMasses masses;

  void reserve(std::size_t count);
  void append(ReadRows& later);
};

/// Vectors that grow need half as much memory again.
void ReadRows::reserve(std::size_t count) {
  for_each_array(bodies, [&](auto& values) {
    if (static_cast<const void*>(&values) != &bodies.color) reserve_large(values, count);
  });
}

/// Takes the names of the later ones.
void ReadRows::append(ReadRows& later) {
  bodies.append(later.bodies);
  std::ranges::move(later.names, std::back_inserter(names));
  colors.insert(colors.end(), later.colors.begin(), later.colors.end());
  bad_ids = bad_ids || later.bad_ids;
  unknown_components += later.unknown_components;
  std::ranges::transform(missing, later.missing, missing.begin(), std::plus());
  masses.vanished += later.masses.vanished;
  masses.largest = std::max(masses.largest, later.masses.largest);
}

/// What precedes a part of a table.
struct Preceding {
  std::size_t lines = 0, bodies = 0;
};

/// Reads the rows of a part of a table into bodies.
class RowReader {
 public:
  RowReader(const FileView& file, const TableLayout& layout, const ReadOptions& options,
            std::optional<double> key)
      : file_(file), layout_(layout), options_(options), key_(key) {}

  /// Reads the rows that begin in the first `length` bytes of `text`, the last to its end, but no more bodies
  /// than the file announces.
  void read(std::string_view text, std::size_t length, Preceding before) {
    rows_ = {};
    rows_.bodies.origin = options_.origin;
    options_.masses = &rows_.masses;
    rounding_ = Rounding(options_);
    lines_ = TextLines(text);
    before_ = before;
    row_ = 0;
    left_rows_ = false;
    std::string_view line;
    while (lines_.offset() < length && lines_.next_record(line)) {
      const auto content = split_comment(line).content;
      if (content.empty()) continue;
      left_rows_ = layout_.count && before.bodies + row_ == *layout_.count;
      if (left_rows_) break;
      read_row(content);
    }
    rows_.bodies.resize(row_);
  }

  /// As read(), while other threads read what precedes: a row that cannot be read only sets failed().
  void try_read(std::string_view text, std::size_t length) noexcept;
  ReadRows& rows() { return rows_; }
  const TextLines& lines() const { return lines_; }  ///< those that were read
  bool failed() const { return failed_; }
  bool left_rows() const { return left_rows_; }  ///< rows follow that the file does not announce

 private:
  void read_row(std::string_view content) {
    constexpr std::size_t at_once = 1024;
    split_row(content);
    has_id_ = false;
    other_time_ = false;
    auto& bodies = rows_.bodies;
    if (row_ == bodies.size()) bodies.resize(row_ + at_once);
    for (std::size_t k = 0; k < fields_.size(); ++k) take_field(layout_.columns[k], fields_[k]);
    if (other_time_) return;
    if (!has_id_) bodies.id[row_] = 0;
    ++row_;
    if (layout_.has(Column::red)) rows_.colors.push_back(color_);
    if (layout_.has(Column::name)) rows_.names.push_back(readable(name_, 80));
    rows_.bad_ids = rows_.bad_ids || !has_id_;
  }

  void split_row(std::string_view content) {
    sim::split_row(content, layout_, fields_);
    const auto expected = layout_.columns.size();
    if (fields_.size() == expected) return;
    refuse(fmt::format("{} where {} are expected; complete the row or copy the file again",
                       counted(fields_.size(), "field", "fields"), expected));
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
      case Column::frame:
        return take_key(column, field);
      case Column::red:
      case Column::green:
      case Column::blue:
        return take_color(static_cast<std::size_t>(column) - static_cast<std::size_t>(Column::red), field);
      case Column::galaxy:
        return take_galaxy(field);
      default:
        return take_number(column, field);
    }
  }

  /// Only places must be there.
  void take_number(Column column, std::string_view field) {
    const bool is_place = column == Column::x || column == Column::y || column == Column::z;
    auto& bodies = rows_.bodies;
    set_number(bodies, row_, column, is_place ? number(field) : number_or_none(field, column), rounding_);
    if (column == Column::mass && bodies.mass[row_] < 0.0F && !layout_.guessed.empty())
      refuse_negative_mass(field);
    if (!std::isfinite(bodies.charge[row_]))
      refuse(fmt::format("'{}' overflows single precision; convert to larger units", printable(field)));
  }

  /// A column of times or steps: only the rows of one snapshot are kept.
  void take_key(Column column, std::string_view field) {
    if (column == key_column(layout_)) other_time_ = number(field) != key_;
  }

  void take_component(std::string_view field) {
    const auto known = component_of_text(field);
    rows_.bodies.component[row_] = known.value_or(Component::other);
    if (!known) ++rows_.unknown_components;
  }

  void take_id(std::string_view field) {
    std::uint64_t id = 0;
    const auto* const end = field.data() + field.size();
    const auto result = std::from_chars(field.data(), end, id);
    has_id_ = result.ec == std::errc() && result.ptr == end;
    if (has_id_) {
      rows_.bodies.id[row_] = id;
      return;
    }
    // -1, 17.0, 1e3: other programs write ids so.
    const double value = number(field);
    constexpr double largest_exact = 9007199254740992.0;  // 2^53
    has_id_ = value >= 0.0 && value <= largest_exact && value == std::floor(value);
    rows_.bodies.id[row_] = has_id_ ? static_cast<std::uint64_t>(value) : 0;
  }

  void take_galaxy(std::string_view field) {
    const double value = number(field);
    if (value < 0.0 || value > 4294967295.0 || value != std::floor(value))
      refuse("a galaxy is a number 0, 1, ...");
    rows_.bodies.galaxy[row_] = static_cast<std::uint32_t>(value);
  }

  /// An empty field and "nan" are those of a body without a colour. -1 for words, which settle_colors()
  /// leaves out.
  void take_color(std::size_t part, std::string_view field) {
    const double none = field.empty() ? std::nan("") : -1.0;
    color_.at(part) = parse_number(field).value_or(none);
  }

  [[noreturn]] void refuse_negative_mass(std::string_view field) const {
    refuse(fmt::format(
        "'{}' is a negative mass, where columns without names were taken as {}; remove the row, or "
        "name the columns with --columns",
        printable(field), layout_.guessed));
  }

  double number(std::string_view field) const {
    auto value = parse_number(field);
    const auto with_comma = value ? std::nullopt : parse_decimal_comma(field);
    if (layout_.decimal_commas && with_comma) value = with_comma;
    if (!value && with_comma)
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
    const auto line = layout_.data_line + before_.lines + lines_.number();
    // Without a header the first row may be none.
    const bool may_be_none = layout_.named_by_user && before_.bodies == 0 && row_ == 0;
    refuse_line(file_, line,
                may_be_none
                    ? fmt::format("{}, or leave lines before the rows out, as in --set skip={}", what, line)
                    : std::string(what));
  }

  const FileView& file_;
  const TableLayout& layout_;
  ReadOptions options_;
  std::optional<double> key_;  ///< selects the rows to read: a time or a step number
  Rounding rounding_;
  TextLines lines_{{}};
  Preceding before_;
  ReadRows rows_;
  bool failed_ = false, left_rows_ = false;
  std::vector<std::string_view> fields_;

  // The row that is being read.
  std::size_t row_ = 0;  ///< its body; room is made for more than that
  bool has_id_ = false;
  std::string name_;
  std::array<double, 3> color_{};
  bool other_time_ = false;
};

void RowReader::try_read(std::string_view text, std::size_t length) noexcept try {
  failed_ = true;
  read(text, length, {});
  failed_ = false;
} catch (const std::exception&) {
  return;
}

/// Reads all rows of a table, in parts that several threads read at once and add in their order.
class TableReader {
 public:
  TableReader(const FileView& file, std::string_view text, const TableLayout& layout,
              const ReadOptions& options, std::optional<double> key)
      : file_(file),
        text_(text.substr(layout.data_offset)),
        layout_(layout),
        options_(options),
        key_(key),
        ticker_(options.progress, text_.size(), 0.0F, 0.8F) {}

  void read_all() {
    if (key_column(layout_) == Column::skip) reserve();
    read_parts();
    if (failure_) std::rethrow_exception(failure_);
    if (layout_.count && rows_.bodies.size() != *layout_.count)
      cannot_read(file_.path, fmt::format("it says that it holds {} but ends after {}; copy it again",
                                          counted(*layout_.count, "body", "bodies"), rows_.bodies.size()));
  }

  Scene take_scene() {
    Scene scene;
    scene.bodies = std::move(rows_.bodies);
    scene.names = std::move(rows_.names);
    scene.radii.resize(scene.names.size());
    scene.notes = layout_.notes;
    scene.time = layout_.time;
    if (key_ && layout_.has(Column::time)) scene.time = *key_;
    scene.source = fmt::format("text table, {}", layout_.description);
    settle_ids(scene, layout_.has(Column::id), !rows_.bad_ids);
    if (layout_.has(Column::red)) settle_colors(scene, rows_.colors);
    if (layout_.has(Column::galaxy)) settle_galaxies(scene);
    if (!layout_.has(Column::z)) scene.notes.emplace_back("the file is two-dimensional: z = 0");
    note_missing(scene);
    if (!layout_.has(Column::mass)) assume_equal_masses(scene);
    if (!layout_.has(Column::vx)) assume_no_velocities(scene);
    if (rows_.unknown_components > 0) {
      scene.notes.push_back(fmt::format(
          "{} 'other'", counted(rows_.unknown_components, "body of a component of unknown name is",
                                "bodies of a component of unknown name are")));
    }
    if (left_rows_)
      scene.notes.push_back(fmt::format("only the first {} shown: the file says so",
                                        counted(scene.bodies.size(), "row is", "rows are")));
    if (options_.masses != nullptr) *options_.masses = rows_.masses;
    return scene;
  }

 private:
  static constexpr std::size_t part_bytes = std::size_t{1} << 18;

  void reserve() {
    constexpr std::size_t looked_at = 100;
    TextLines lines(text_);
    std::string_view line;
    while (lines.number() < looked_at && lines.next(line)) {
    }
    if (lines.number() < looked_at) return;
    const auto rows = text_.size() / (lines.offset() / looked_at) + looked_at;
    rows_.reserve(std::min<std::size_t>(rows, layout_.count.value_or(rows)));
  }

  /// Where the first line of a part begins; its end: none does. A line may be within a quoted field.
  std::size_t first_line(std::size_t part) const {
    if (part == 0) return 0;
    const auto before = part * part_bytes - 1;
    return std::min(text_.substr(0, end_of(part)).find('\n', before), end_of(part) - 1) + 1;
  }

  std::size_t end_of(std::size_t part) const { return std::min((part + 1) * part_bytes, text_.size()); }

  void read_parts() {
    const auto count = (text_.size() + part_bytes - 1) / part_bytes;
#pragma omp parallel if (count > 1)
    {
      RowReader reader(file_, layout_, options_, key_);
#pragma omp for ordered schedule(dynamic)
      for (std::size_t part = 0; part < count; ++part) {
        if (done_) continue;
        const auto begin = first_line(part);
        reader.try_read(text_.substr(begin), end_of(part) - begin);
#pragma omp ordered
        take(part, reader);
      }
    }
  }

  void take(std::size_t part, RowReader& reader) noexcept;

  /// Adds the rows of a part. A part is read again, now that one knows what precedes it, if it began within a
  /// row, if it failed, and if it may hold more than the file announces.
  void add(std::size_t part, RowReader& reader) {
    if (offset_ >= end_of(part)) return;
    const auto bodies = rows_.bodies.size();
    const bool is_last = layout_.count && bodies + reader.rows().bodies.size() >= *layout_.count;
    if (first_line(part) != offset_ || reader.failed() || is_last)
      reader.read(text_.substr(offset_), end_of(part) - offset_, {lines_, bodies});
    rows_.append(reader.rows());
    offset_ += reader.lines().offset();
    lines_ += reader.lines().number();
    left_rows_ = reader.left_rows();
  }

  void note_missing(Scene& scene) const {
    for (std::size_t k = 0; k < rows_.missing.size(); ++k)
      if (rows_.missing[k] > 0)
        scene.notes.push_back(fmt::format("{} without {}: 0 was taken",
                                          counted(rows_.missing[k], "body", "bodies"),
                                          name_of(static_cast<Column>(k))));
  }

  const FileView& file_;
  std::string_view text_;
  const TableLayout& layout_;
  const ReadOptions& options_;
  std::optional<double> key_;
  Ticker ticker_;
  ReadRows rows_;
  std::size_t offset_ = 0, lines_ = 0;  ///< that are read
  bool left_rows_ = false;
  std::exception_ptr failure_;
  std::atomic<bool> done_ = false;
};

/// By one thread at a time, in the order of the parts. Nothing leaves a parallel region but by failure_.
void TableReader::take(std::size_t part, RowReader& reader) noexcept try {
  if (done_) return;
  ticker_.at(offset_);
  add(part, reader);
  done_ = left_rows_;
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
  TableReader reader(file, text, layout, options, key);
  reader.read_all();
  Scene scene = reader.take_scene();
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

using Buffer = fmt::memory_buffer;

/// Nine significant digits give back the same single-precision number.
void put(Buffer& row, const Vec3& v) {
  fmt::format_to(std::back_inserter(row), ",{:.9g},{:.9g},{:.9g}", v.x, v.y, v.z);
}

/// Writes a position; of a body far from the origin with all its digits.
void put_place(Buffer& row, const Bodies& bodies, std::size_t i) {
  if (bodies.origin == DVec3{}) return put(row, bodies.position[i]);
  const auto x = absolute_place(bodies, i);
  fmt::format_to(std::back_inserter(row), ",{},{},{}", x.x, x.y, x.z);
}

void put(Buffer& row, Color color) {
  const auto [red, green, blue] = rgb_of(color);
  if (color == no_color)
    fmt::format_to(std::back_inserter(row), ",nan,nan,nan");
  else
    fmt::format_to(std::back_inserter(row), ",{},{},{}", red, green, blue);
}

/// A text as RFC 4180 quotes it.
void put(Buffer& row, std::string_view text) {
  row.append(std::string_view(",\""));
  for (const char c : text) {
    if (c == '"') row.push_back(c);
    row.push_back(c);
  }
  row.push_back('"');
}

void write_csv(const Scene& scene, const WriteOptions& options, FileWriter& out) {
  const auto& bodies = scene.bodies;
  const bool several_galaxies = bodies.galaxy.front() != bodies.galaxy.back();
  const bool charges = bodies.has_charges(), colors = bodies.has_colors();
  const bool names = scene.names.size() == bodies.size();
  out.write(fmt::format("id,mass,x,y,z{},component{}{}{}{}\n", scene.has_velocities ? ",vx,vy,vz" : "",
                        several_galaxies ? ",galaxy" : "", charges ? ",charge" : "",
                        colors ? ",red,green,blue" : "", names ? ",name" : ""));
  Buffer row;
  const Ticker ticker(options.progress, bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    ticker.now_and_then(i);
    row.clear();
    fmt::format_to(std::back_inserter(row), "{},{:.9g}", bodies.id[i], bodies.mass[i]);
    put_place(row, bodies, i);
    if (scene.has_velocities) put(row, bodies.velocity[i]);
    fmt::format_to(std::back_inserter(row), ",{}", component_name(bodies.component[i]));
    if (several_galaxies) fmt::format_to(std::back_inserter(row), ",{}", bodies.galaxy[i]);
    if (charges) fmt::format_to(std::back_inserter(row), ",{:.9g}", bodies.charge[i]);
    if (colors) put(row, bodies.color[i]);
    if (names) put(row, scene.names[i]);
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
