#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>

#include "sim/bodies/components.h"
#include "sim/bodies/origin.h"
#include "sim/core/counted.h"
#include "sim/core/large_array.h"
#include "sim/core/message.h"
#include "sim/core/progress.h"
#include "sim/snapshots/check.h"
#include "sim/snapshots/csv_layout.h"
#include "sim/snapshots/file_colors.h"
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

/// Reads the rows of a table into bodies.
class RowReader {
 public:
  RowReader(const FileView& file, std::string_view text, const TableLayout& layout,
            const ReadOptions& options, std::optional<double> key)
      : file_(file),
        text_(text.substr(layout.data_offset)),
        layout_(layout),
        lines_(text_),
        ticker_(options.progress, text_.size(), 0.0F, 0.8F),
        rounding_(options),
        key_(key) {
    bodies_.origin = options.origin;
  }

  void read_all();
  Scene take_scene();

 private:
  void read_row(std::string_view content);
  void split_row(std::string_view content);
  void take_field(Column column, std::string_view field);
  void take_key(Column column, std::string_view field);
  void take_component(std::string_view field);
  void take_id(std::string_view field);
  void take_color(std::size_t part, std::string_view field);
  void keep();
  void reserve();
  void require_count() const;
  void note_missing(Scene& scene) const;
  [[noreturn]] void refuse_negative_mass(std::string_view field) const;
  double number(std::string_view field) const;
  double number_or_none(std::string_view field, Column column);
  float finite_charge(std::string_view field);
  float coordinate(std::string_view field, double DVec3::*axis) const;
  float speed(std::string_view field, Column column) {
    return rounding_.speed(number_or_none(field, column));
  }
  [[noreturn]] void refuse(std::string_view what) const {
    const auto line = layout_.data_line + lines_.number();
    // Without a header the first row may be none.
    const bool may_be_none = layout_.named_by_user && bodies_.empty();
    refuse_line(file_, line,
                may_be_none
                    ? fmt::format("{}, or leave lines before the rows out, as in --set skip={}", what, line)
                    : std::string(what));
  }

  const FileView& file_;
  std::string_view text_;
  const TableLayout& layout_;
  TextLines lines_;
  Ticker ticker_;
  Rounding rounding_;
  std::vector<std::string_view> fields_;

  // The row that is being read.
  Vec3 position_, velocity_;
  float mass_ = 0.0F, charge_ = 0.0F;
  std::optional<std::uint64_t> id_;
  Component component_ = Component::other;
  std::uint32_t galaxy_ = 0;
  std::string name_;
  std::array<double, 3> color_{};
  bool other_time_ = false;

  std::optional<double> key_;  ///< selects the rows to read: a time or a step number
  Bodies bodies_;
  std::vector<std::string> names_;
  NamedTriple colors_;
  bool has_odd_colors_ = false;
  bool bad_ids_ = false;
  std::size_t unknown_components_ = 0;
  std::array<std::size_t, column_count> missing_{};  ///< values of each column that are not there
  bool rows_left_ = false;
};

double RowReader::number(std::string_view field) const {
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
double RowReader::number_or_none(std::string_view field, Column column) {
  const auto value = parse_number(field);
  const bool missing = field.empty() || (value && std::isnan(*value));
  if (!missing) return number(field);
  ++missing_.at(static_cast<std::size_t>(column));
  return 0.0;
}

float RowReader::finite_charge(std::string_view field) {
  const auto value = static_cast<float>(number_or_none(field, Column::charge));
  if (std::isfinite(value)) return value;
  refuse(fmt::format("'{}' overflows single precision; convert to larger units", printable(field)));
}

float RowReader::coordinate(std::string_view field, double DVec3::*axis) const {
  return rounding_.coordinate(number(field), rounding_.origin().*axis);
}

void RowReader::refuse_negative_mass(std::string_view field) const {
  refuse(
      fmt::format("'{}' is a negative mass, where columns without names were taken as {}; remove the row, or "
                  "name the columns with --columns",
                  printable(field), layout_.guessed));
}

void RowReader::take_id(std::string_view field) {
  std::uint64_t id = 0;
  const auto* const end = field.data() + field.size();
  const auto result = std::from_chars(field.data(), end, id);
  if (result.ec == std::errc() && result.ptr == end) {
    id_ = id;
    return;
  }
  // -1, 17.0, 1e3: other programs write ids so.
  const double value = number(field);
  constexpr double largest_exact = 9007199254740992.0;  // 2^53
  if (value >= 0.0 && value <= largest_exact && value == std::floor(value))
    id_ = static_cast<std::uint64_t>(value);
}

void RowReader::take_component(std::string_view field) {
  const auto known = component_of_text(field);
  component_ = known.value_or(Component::other);
  if (!known) ++unknown_components_;
}

/// An empty field and "nan" are those of a body without a colour. Columns of words are none of colours.
void RowReader::take_color(std::size_t part, std::string_view field) {
  auto value = parse_number(field);
  if (!value && layout_.decimal_commas) value = parse_decimal_comma(field);
  has_odd_colors_ = has_odd_colors_ || (!value && !field.empty());
  color_.at(part) = value.value_or(std::nan(""));
}

/// A column of times or steps: only the rows of one snapshot are kept.
void RowReader::take_key(Column column, std::string_view field) {
  if (column == key_column(layout_)) other_time_ = number(field) != key_;
}

void RowReader::take_field(Column column, std::string_view field) {
  switch (column) {
    case Column::skip:
      return;
    case Column::id:
      return take_id(field);
    case Column::mass:
      mass_ = rounding_.mass(number_or_none(field, column));
      if (mass_ < 0.0F && !layout_.guessed.empty()) refuse_negative_mass(field);
      return;
    case Column::charge:
      charge_ = finite_charge(field);
      return;
    case Column::x:
      position_.x = coordinate(field, &DVec3::x);
      return;
    case Column::y:
      position_.y = coordinate(field, &DVec3::y);
      return;
    case Column::z:
      position_.z = coordinate(field, &DVec3::z);
      return;
    case Column::vx:
      velocity_.x = speed(field, column);
      return;
    case Column::vy:
      velocity_.y = speed(field, column);
      return;
    case Column::vz:
      velocity_.z = speed(field, column);
      return;
    case Column::component:
      return take_component(field);
    case Column::name:
      name_ = unquoted(field);
      return;
    case Column::time:
    case Column::frame:
      return take_key(column, field);
    case Column::red:
      return take_color(0, field);
    case Column::green:
      return take_color(1, field);
    case Column::blue:
      return take_color(2, field);
    case Column::galaxy: {
      const double value = number(field);
      if (value < 0.0 || value > 4294967295.0 || value != std::floor(value))
        refuse("a galaxy is a number 0, 1, ...");
      galaxy_ = static_cast<std::uint32_t>(value);
      return;
    }
  }
}

void RowReader::split_row(std::string_view content) {
  sim::split_row(content, layout_, fields_);
  const auto expected = layout_.columns.size();
  if (fields_.size() == expected) return;
  refuse(fmt::format("{} where {} are expected; complete the row or copy the file again",
                     counted(fields_.size(), "field", "fields"), expected));
}

void RowReader::read_row(std::string_view content) {
  split_row(content);
  id_.reset();
  other_time_ = false;
  for (std::size_t k = 0; k < fields_.size(); ++k) take_field(layout_.columns[k], fields_[k]);
  if (!other_time_) keep();
}

void RowReader::keep() {
  if (layout_.has(Column::red))
    for (std::size_t part = 0; part < color_.size(); ++part)
      colors_.put(part, bodies_.size(), color_.at(part));
  bodies_.position.push_back(position_);
  bodies_.velocity.push_back(velocity_);
  bodies_.mass.push_back(mass_);
  bodies_.charge.push_back(charge_);
  bodies_.id.push_back(id_.value_or(0));
  bodies_.component.push_back(component_);
  bodies_.galaxy.push_back(galaxy_);
  if (layout_.has(Column::name)) names_.push_back(readable(name_, 80));
  bad_ids_ = bad_ids_ || !id_;
}

/// Vectors that grow need half as much memory again.
void RowReader::reserve() {
  constexpr std::size_t looked_at = 100;
  TextLines lines(text_);
  std::string_view line;
  while (lines.number() < looked_at && lines.next(line)) {
  }
  if (lines.number() < looked_at) return;
  auto rows = text_.size() / (lines.offset() / looked_at) + looked_at;
  if (layout_.count) rows = std::min<std::size_t>(rows, *layout_.count);
  reserve_large(bodies_.position, rows);
  reserve_large(bodies_.velocity, rows);
  reserve_large(bodies_.mass, rows);
  reserve_large(bodies_.charge, rows);
  reserve_large(bodies_.id, rows);
  reserve_large(bodies_.component, rows);
  reserve_large(bodies_.galaxy, rows);
}

void RowReader::read_all() {
  if (key_column(layout_) == Column::skip) reserve();
  std::string_view line;
  for (std::size_t rows = 0; lines_.next_record(line); ++rows) {
    if (rows % Ticker::interval == 0) ticker_.at(lines_.offset());
    const auto content = split_comment(line).content;
    if (content.empty()) continue;
    if (layout_.count && bodies_.size() == *layout_.count) {
      rows_left_ = true;
      break;
    }
    read_row(content);
  }
  require_count();
}

void RowReader::require_count() const {
  if (!layout_.count || bodies_.size() == *layout_.count) return;
  cannot_read(file_.path, fmt::format("it says that it holds {} but ends after {}; copy it again",
                                      counted(*layout_.count, "body", "bodies"), bodies_.size()));
}

void RowReader::note_missing(Scene& scene) const {
  for (std::size_t k = 0; k < missing_.size(); ++k)
    if (missing_[k] > 0)
      scene.notes.push_back(fmt::format("{} without {}: 0 was taken", counted(missing_[k], "body", "bodies"),
                                        name_of(static_cast<Column>(k))));
}

Scene RowReader::take_scene() {
  Scene scene;
  scene.bodies = std::move(bodies_);
  scene.names = std::move(names_);
  scene.radii.resize(scene.names.size());
  scene.notes = layout_.notes;
  scene.time = layout_.time;
  if (key_ && layout_.has(Column::time)) scene.time = *key_;
  scene.source = fmt::format("text table, {}", layout_.description);
  settle_ids(scene, layout_.has(Column::id), !bad_ids_);
  if (layout_.has(Column::red)) {
    colors_.name(0, "red");
    colors_.name(1, "green");
    colors_.name(2, "blue");
    if (has_odd_colors_)
      scene.notes.emplace_back("left out: red, green and blue, which are not all numbers");
    else
      settle_colors(scene, colors_);
  }
  if (layout_.has(Column::galaxy)) settle_galaxies(scene);
  if (!layout_.has(Column::z)) scene.notes.emplace_back("the file is two-dimensional: z = 0");
  note_missing(scene);
  if (!layout_.has(Column::mass)) assume_equal_masses(scene);
  if (!layout_.has(Column::vx)) assume_no_velocities(scene);
  if (unknown_components_ > 0) {
    scene.notes.push_back(
        fmt::format("{} 'other'", counted(unknown_components_, "body of a component of unknown name is",
                                          "bodies of a component of unknown name are")));
  }
  if (rows_left_)
    scene.notes.push_back(fmt::format("only the first {} shown: the file says so",
                                      counted(scene.bodies.size(), "row is", "rows are")));
  return scene;
}

Scene read_csv(const FileView& file, const ReadOptions& options) {
  const auto text = text_of(file.bytes);
  const auto layout = find_layout(file, text, options.columns, options.skip);
  const auto keys = keys_of(text, layout);
  if (options.snapshot > 0 && options.snapshot >= keys.size())
    cannot_read(file.path, fmt::format("it has {} only", counted(std::max<std::size_t>(keys.size(), 1),
                                                                 "snapshot", "snapshots")));
  const auto key = keys.empty() ? std::nullopt : std::optional(keys[options.snapshot]);
  RowReader reader(file, text, layout, options, key);
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
