#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <random>

#include "sim/core/counted.h"
#include "sim/core/message.h"
#include "sim/core/progress.h"
#include "sim/snapshots/check.h"
#include "sim/snapshots/csv_layout.h"
#include "sim/snapshots/foreign.h"
#include "sim/snapshots/rounding.h"
#include "snapshot_formats.h"

// The input of the University of Sheffield's COM4521 assignment: "x, y, vx, vy, mass" a line, in the plane.

namespace orrery::sim {

namespace {

constexpr std::size_t field_count = 5;
constexpr std::uint64_t seed_of_blank_positions = 4521;

/// A field of the file: blank, a number, or a number with C's suffix f. Empty optional: something else.
struct Field {
  bool blank = false;
  double value = 0.0;
};
std::optional<Field> parse_field(std::string_view text) {
  if (text.empty()) return Field{true, 0.0};
  const bool suffixed = text.size() > 1 && (text.back() == 'f' || text.back() == 'F');
  const char before = suffixed ? text[text.size() - 2] : ' ';
  if (suffixed && ((before >= '0' && before <= '9') || before == '.')) text.remove_suffix(1);
  const auto value = parse_number(text);
  if (!value) return std::nullopt;
  return Field{false, *value};
}

bool is_row(std::string_view content, std::vector<std::string_view>& fields) {
  split_fields(content, Separator::comma, fields);
  return fields.size() == field_count &&
         std::ranges::all_of(fields, [](auto f) { return parse_field(f).has_value(); });
}

/// True for properties that only COM4521's files have: blank fields and C's suffix f.
bool has_own_marks(const std::vector<std::string_view>& fields) {
  return std::ranges::any_of(fields,
                             [](auto f) { return f.empty() || f.ends_with('f') || f.ends_with('F'); });
}

bool has_unit(std::string_view name) { return !unit_of_name(name).empty(); }

/// A comment that names columns, and others than COM4521's, or that states units: COM4521 has none.
bool names_other_columns(std::string_view comment, std::vector<std::string_view>& fields) {
  if (!units_in_words(comment).empty()) return true;
  split_names(comment, separator_of(comment), fields);
  if (fields.size() != field_count) return false;
  if (std::ranges::any_of(fields, has_unit)) return true;
  constexpr std::array own{Column::x, Column::y, Column::vx, Column::vy, Column::mass};
  std::array<std::optional<Column>, field_count> named;
  std::ranges::transform(fields, named.begin(), column_from_name);
  const bool all_known = std::ranges::all_of(named, [](const auto& c) { return c.has_value(); });
  return all_known && !std::ranges::equal(named, own);
}

/// Every row of the beginning has five comma-separated fields, each blank or a number, and there is no
/// header. Negative masses at the end are those of a general table, unless blanks or suffixes say otherwise.
bool recognizes_com4521(const FileView& file) {
  if (!is_plain_text(file.bytes)) return false;
  constexpr std::size_t sample = 4096;
  const auto text = text_of(file.bytes);
  TextLines lines(text);
  std::vector<std::string_view> fields;
  std::string_view line;
  bool own = false, negative = false, named = false, fifth_and_fourth_positive = true;
  bool first_counts = true, first_positive = true, second_negative = false;
  std::size_t rows = 0;
  while (lines.offset() < sample && lines.next(line)) {
    const auto [content, comment] = split_comment(line);
    if (names_other_columns(comment, fields)) return false;
    named = named || comment.find("vy") != std::string_view::npos;
    if (content.empty()) continue;
    if (!is_row(content, fields)) return false;
    ++rows;
    own = own || has_own_marks(fields);
    const double first = parse_field(fields[0])->value;
    first_counts =
        first_counts && (first == static_cast<double>(rows) || first == static_cast<double>(rows - 1));
    first_positive = first_positive && first > 0.0;
    second_negative = second_negative || parse_field(fields[1])->value < 0.0;
    negative = negative || parse_field(fields[4])->value < 0.0;
    fifth_and_fourth_positive = fifth_and_fourth_positive && parse_field(fields[3])->value > 0.0 &&
                                parse_field(fields[4])->value > 0.0;
  }
  // x, y, z, mass and radius look like that, and ids or masses with positions: the reader of general tables
  // asks.
  constexpr std::size_t few = 3, some = 8;
  const bool begins_otherwise = first_counts || (rows >= some && first_positive && second_negative);
  const bool may_be_other = rows >= few && (fifth_and_fourth_positive || begins_otherwise) && !named;
  return rows > 0 && (own || (!negative && !may_be_other));
}

/// Uniform in [0, 1), the same with every standard library.
double uniform(std::mt19937_64& random) { return static_cast<double>(random() >> 11) * 0x1p-53; }

class RowReader {
 public:
  RowReader(const FileView& file, const ReadOptions& options) : file_(file), rounding_(options) {}

  void take_row(std::size_t line, std::string_view content) {
    split_fields(content, Separator::comma, fields_);
    if (fields_.size() != field_count) {
      refuse_line(file_, line,
                  fmt::format("{} where x, y, vx, vy, mass are expected; correct it",
                              counted(fields_.size(), "field", "fields")));
    }
    for (std::size_t k = 0; k < 2; ++k) blank_positions_ += fields_[k].empty() ? 1U : 0U;
    const double x = number(line, 0, fields_[0].empty() ? uniform(random_) : 0.0);
    const double y = number(line, 1, fields_[1].empty() ? uniform(random_) : 0.0);
    if (fields_[4].empty()) without_mass_.push_back(bodies_.position.size());
    const double vx = number(line, 2, 0.0), vy = number(line, 3, 0.0);
    bodies_.position.push_back(rounding_.place({x, y, 0.0}));
    bodies_.velocity.push_back(rounding_.velocity({vx, vy, 0.0}));
    const double mass = number(line, 4, 0.0);
    if (mass < 0.0) refuse_negative_mass(line);
    bodies_.mass.push_back(rounding_.mass(mass));
  }

  Scene take_scene() {
    Scene scene;
    const auto count = bodies_.size();
    scene.bodies.resize(count);
    scene.bodies.position = std::move(bodies_.position);
    scene.bodies.velocity = std::move(bodies_.velocity);
    scene.bodies.mass = std::move(bodies_.mass);
    scene.bodies.origin = rounding_.origin();
    for (const auto i : without_mass_)
      scene.bodies.mass[i] = rounding_.mass(1.0 / static_cast<double>(count));
    scene.physics.gravitational_constant = 9.8;
    scene.physics.softening = 2.0;
    scene.physics.time_step = 0.01;
    scene.physics.integrator = find_integrator("explicit-euler");
    scene.physics.dimensions = 2;
    scene.source = "COM4521 text, x, y, vx, vy, mass";
    scene.notes.emplace_back(
        "five columns without names were taken as COM4521's x, y, vx, vy, mass: G = 9.8, "
        "softening 2, time step 0.01, explicit Euler, two dimensions");
    if (blank_positions_ > 0) {
      scene.notes.push_back(
          fmt::format("{} random in [0, 1), always the same",
                      counted(blank_positions_, "blank coordinate is", "blank coordinates are")));
    }
    if (!without_mass_.empty())
      scene.notes.push_back(
          fmt::format("{} 1/N", counted(without_mass_.size(), "blank mass is", "blank masses are")));
    return scene;
  }

 private:
  double number(std::size_t line, std::size_t k, double otherwise) const {
    const auto field = parse_field(fields_[k]);
    if (!field)
      refuse_line(file_, line, fmt::format("'{}' is not a number; correct it", printable(fields_[k])));
    const auto value = field->blank ? otherwise : field->value;
    if (!std::isfinite(value)) {
      refuse_line(file_, line, fmt::format("'{}' is not a finite number; correct it", printable(fields_[k])));
    }
    return value;
  }

  [[noreturn]] void refuse_negative_mass(std::size_t line) const {
    refuse_line(
        file_, line,
        fmt::format("'{}' is a negative mass, where columns without names were taken as COM4521's x, y, vx, "
                    "vy, mass; remove the row, or name the columns, as in --columns mass,x,y,vx,vy",
                    printable(fields_[4])));
  }

  const FileView& file_;
  Rounding rounding_;
  std::mt19937_64 random_{seed_of_blank_positions};
  std::vector<std::string_view> fields_;
  Bodies bodies_;
  std::vector<std::size_t> without_mass_;
  std::size_t blank_positions_ = 0;
};

Scene read_com4521(const FileView& file, const ReadOptions& options) {
  const auto text = text_of(file.bytes);
  const Ticker ticker(options.progress, text.size(), 0.0F, 0.8F);
  RowReader reader(file, options);
  TextLines lines(text);
  std::string_view line;
  while (lines.next(line)) {
    if (lines.number() % Ticker::interval == 1) ticker.at(lines.offset());
    const auto content = split_comment(line).content;
    if (!content.empty()) reader.take_row(lines.number(), content);
  }
  return reader.take_scene();
}

void write_com4521(const Scene& scene, const WriteOptions& /*options*/, FileWriter& out) {
  const auto& bodies = scene.bodies;
  const bool flat = std::ranges::all_of(bodies.position, [](const Vec3& p) { return p.z == 0.0F; }) &&
                    std::ranges::all_of(bodies.velocity, [](const Vec3& v) { return v.z == 0.0F; });
  if (!flat) cannot_write(out.target(), "COM4521 is two-dimensional and this scene is not; use csv");
  require_one_galaxy(scene, out, "COM4521 holds", "csv");
  out.write("# x, y, vx, vy, mass\n");
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const auto& p = bodies.position[i];
    const auto& v = bodies.velocity[i];
    out.write(fmt::format("{:.9g}, {:.9g}, {:.9g}, {:.9g}, {:.9g}\n", p.x, p.y, v.x, v.y, bodies.mass[i]));
  }
}

}  // namespace

const SnapshotFormat com4521_format{"com4521",
                                    "COM4521 text: x, y, vx, vy, mass per line; scenes in the plane, G = 9.8",
                                    "",
                                    true,
                                    &recognizes_com4521,
                                    &read_com4521,
                                    &write_com4521};

}  // namespace orrery::sim
