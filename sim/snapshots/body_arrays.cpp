#include "sim/snapshots/body_arrays.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "sim/core/counted.h"
#include "sim/core/letters.h"
#include "sim/core/message.h"
#include "sim/snapshots/check.h"
#include "sim/snapshots/csv_layout.h"
#include "sim/snapshots/rounding.h"
#include "sim/snapshots/sky.h"
#include "sim/snapshots/stated_units.h"
#include "sim/snapshots/text_table.h"

namespace orrery::sim {

namespace {

constexpr std::string_view position_names = "position,positions,pos,coordinates,coords,coordinate,xyz,p";
constexpr std::string_view velocity_names = "velocity,velocities,vel,v,vxyz";

/// Empty for quantities that are no arrays of numbers.
std::string quantity_of(std::optional<Column> column) {
  return column && *column != Column::name ? std::string(name_of(*column)) : std::string();
}

std::optional<UnitKind> kind_of_vector(std::string_view name) {
  const auto plain = plain_column_name(name);
  if (is_listed(position_names, plain)) return UnitKind::length;
  if (is_listed(velocity_names, plain)) return UnitKind::velocity;
  return std::nullopt;
}

/// The name of an array of vectors as it is compared: "Coordinates", "pos [kpc]" and "vel_kms" without units.
std::string plain_vector_name(std::string_view name) {
  if (kind_of_vector(name)) return plain_column_name(name);
  return plain_column_name(split_unit(name, kind_of_vector).name);
}

/// The unit that stands after the name of an array.
std::string_view unit_behind(std::string_view name) {
  const auto unit = unit_of_name(name);
  return unit.empty() ? split_unit(name, kind_of_vector).unit : unit;
}

/// The kind of unit of a common quantity name (quantity_named()).
std::optional<UnitKind> unit_kind_of(std::string_view quantity) {
  if (const auto kind = kind_of_vector(quantity)) return kind;
  const auto column = column_from_name(quantity);
  return column ? unit_kind(*column) : std::nullopt;
}

/// The quantity of an array, "" for none; `column` is that of its name in a table. A vector and a column can
/// have the same name ("v"). A speed alone is refused rather than left out.
std::string quantity_of(const NamedArray& array, Column column, bool has_velocity) {
  const auto plain = plain_vector_name(array.name);
  const bool is_vector = array.components > 1;
  if (is_vector && is_listed(position_names, plain)) return "position";
  if (is_vector && is_listed(velocity_names, plain)) return "velocity";
  if (is_vector) return quantity_of(column_from_name(array.name));
  if (array.type == ArrayType::text) return "";
  if (column != Column::skip) return quantity_of(column);
  return !has_velocity && is_listed(velocity_names, plain) ? "velocity" : "";
}

std::vector<std::string> names_of(std::span<const NamedArray> arrays) {
  std::vector<std::string> names;
  for (const auto& array : arrays) names.push_back(array.name);
  return names;
}

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

/// The tuples of an array whose rows are kept.
NamedArray kept_rows(const NamedArray& array, std::span<const std::size_t> rows) {
  NamedArray kept = array;
  const auto size = array.components * size_of(array.type);
  kept.bytes.resize(rows.size() * size);
  for (std::size_t i = 0; i < rows.size(); ++i)
    std::memcpy(kept.bytes.data() + i * size, array.bytes.data() + rows[i] * size, size);
  return kept;
}

DVec3 vector_at(const NamedArray& data, std::size_t i) {
  const auto part = [&](std::size_t k) {
    return k < data.components ? data.number(i * data.components + k) : 0.0;
  };
  return {part(0), part(1), part(2)};
}

/// Puts arrays of bodies together.
class ArrayScene {
 public:
  ArrayScene(const FileView& file, std::vector<NamedArray> arrays, const ReadOptions& options)
      : file_(file), arrays_(std::move(arrays)), rounding_(options), asked_units_(options.units) {}

  Scene make(const std::string& source, bool states_law) {
    scene_.source = source;
    name_quantities();
    const auto points = take_points();
    keep_first_time(points.tuples());
    place_bodies(rows_.empty() ? points : kept_rows(points, rows_));
    drop_partial_velocity();
    add_data();
    settle();
    if (!states_law) suggest_force_law(scene_);
    if (!is_spatial_) scene_.notes.emplace_back("the file is two-dimensional: z = 0");
    scene_.notes.insert(scene_.notes.end(), notes_.begin(), notes_.end());
    if (time_) scene_.time = *time_;
    units_.settle(scene_, has_masses_, asked_units_);
    return std::move(scene_);
  }

 private:
  const FileView& file_;
  std::vector<NamedArray> arrays_;
  Rounding rounding_;
  Scene scene_;
  std::vector<std::string> notes_;
  std::vector<std::string> left_out_;  ///< names of arrays
  std::vector<std::size_t> rows_;      ///< those of the first time; empty: all
  std::optional<double> time_;
  bool is_spatial_ = true, has_masses_ = false, has_velocities_ = false, has_ids_ = false;
  bool has_galaxies_ = false, bad_ids_ = false;
  std::size_t unknown_components_ = 0;
  StatedUnits units_;
  std::string asked_units_;

  void take_unit(const NamedArray& array, std::string_view quantity) {
    if (const auto kind = unit_kind_of(quantity))
      units_.take(file_, *kind, array.unit.empty() ? unit_behind(array.name) : std::string_view(array.unit),
                  array.name);
  }

  /// Names the quantities. Columns have those of the same names in a table: of two the first counts, and u is
  /// no velocity beside others. Other arrays that are named like a quantity are left out.
  void name_quantities() {
    Fields names;
    for (const auto& array : arrays_) {
      const bool is_column = array.components == 1 && array.type != ArrayType::text;
      names.push_back(is_column ? array.name : std::string_view());
    }
    const auto columns = columns_of(names);
    const bool has_velocity = contains(columns, Column::vx);
    std::vector<std::string> seen;
    std::vector<NamedArray> kept;
    for (std::size_t k = 0; k < arrays_.size(); ++k) {
      auto& array = arrays_[k];
      const auto quantity = quantity_of(array, columns[k], has_velocity);
      const bool is_like_one = array.type != ArrayType::text && column_from_name(array.name).has_value();
      if (quantity.empty() ? is_like_one : contains(seen, quantity)) {
        left_out_.push_back(printable(array.name));
        continue;
      }
      if (!quantity.empty()) {
        seen.push_back(quantity);
        take_unit(array, quantity);
        array.name = quantity;
      }
      kept.push_back(std::move(array));
    }
    arrays_ = std::move(kept);
  }

  const NamedArray* find(std::string_view quantity) const {
    const auto found = std::ranges::find(arrays_, quantity, &NamedArray::name);
    return found == arrays_.end() ? nullptr : &*found;
  }
  void remove(std::string_view quantity) {
    std::erase_if(arrays_, [&](const NamedArray& array) { return array.name == quantity; });
  }

  [[noreturn]] void refuse_without_places() const {
    auto names = names_of(arrays_);
    for (auto& name : names) name = printable(name, 32);
    constexpr std::size_t most = 6;
    const bool more = names.size() > most;
    names.resize(std::min(names.size(), most));
    cannot_read(file_.path,
                fmt::format("none of its arrays are positions ({}{}); name them x, y and z, or pos with "
                            "three numbers for each body",
                            names.empty() ? "it has none" : fmt::format("{}", fmt::join(names, ", ")),
                            more ? ", and more" : ""));
  }

  NamedArray take_points() {
    if (const auto* const position = find("position")) {
      is_spatial_ = position->components == 3;
      auto points = *position;
      remove("position");
      if (points.components != 2 && points.components != 3)
        cannot_read(file_.path, fmt::format("its positions have {} numbers for each body; give them 2 or 3",
                                            points.components));
      if (points.tuples() == 0) cannot_read(file_.path, "its arrays are empty; choose another file");
      return points;
    }
    if (find("x") == nullptr || find("y") == nullptr) refuse_without_places();
    return joined_axes();
  }

  NamedArray joined_axes() {
    const std::array axes{find("x"), find("y"), find("z")};
    is_spatial_ = axes[2] != nullptr;
    const auto count = axes[0]->tuples();
    for (const auto* const axis : axes) {
      if (axis == nullptr) continue;
      if (axis->type == ArrayType::text)
        cannot_read(file_.path,
                    fmt::format("its array {} holds no numbers; write it as numbers", axis->name));
      if (axis->components != 1 || axis->tuples() != count)
        cannot_read(file_.path,
                    fmt::format("its arrays x, y and z have different shapes ({} has {} tuples of {}, "
                                "x has {}); write it again",
                                axis->name, axis->tuples(), axis->components, count));
    }
    const auto is_single = [](const NamedArray* axis) {
      return axis == nullptr || axis->type == ArrayType::f32;
    };
    NamedArray points{.name = "points",
                      .type = std::ranges::all_of(axes, is_single) ? ArrayType::f32 : ArrayType::f64,
                      .components = 3};
    const auto size = size_of(points.type);
    points.bytes.resize(3 * count * size);
    for (std::size_t k = 0; k < 3; ++k) {
      if (axes.at(k) == nullptr) continue;
      for (std::size_t i = 0; i < count; ++i) {
        auto* const to = points.bytes.data() + (3 * i + k) * size;
        const double number = axes.at(k)->number(i);
        const auto single = static_cast<float>(number);
        std::memcpy(to, size == 4 ? static_cast<const void*>(&single) : &number, size);
      }
    }
    for (const auto* const name : {"x", "y", "z"}) remove(name);
    return points;
  }

  /// A single number is the time; one for each body says which time each row belongs to.
  void keep_first_time(std::size_t count) {
    for (const auto* const name : {"time", "frame"}) {
      const auto* const key = find(name);
      if (key == nullptr || key->type == ArrayType::text || key->values() == 0) continue;
      const bool is_time = std::string_view(name) == "time";
      if (is_time && std::isfinite(key->number(0))) time_ = key->number(0);
      if (key->tuples() == count && key->components == 1 && count > 1) take_rows(*key);
      remove(name);
      return remove("frame");
    }
  }
  void take_rows(const NamedArray& key) {
    for (std::size_t i = 0; i < key.tuples(); ++i)
      if (key.number(i) == key.number(0)) rows_.push_back(i);
    const auto left = key.tuples() - rows_.size();
    if (left == 0 || rows_.empty()) return rows_.clear();
    notes_.push_back(fmt::format("several times in one file: the first is shown, {} not",
                                 counted(left, "row is", "rows are")));
  }

  /// One component of velocity without the others is something else (u: internal energy).
  void drop_partial_velocity() {
    const bool complete =
        find("vx") != nullptr && find("vy") != nullptr && (find("vz") != nullptr || !is_spatial_);
    const bool is_vector = find("velocity") != nullptr;
    if (complete && !is_vector) return;
    for (const auto* const name : {"vx", "vy", "vz"}) {
      if (find(name) == nullptr) continue;
      remove(name);
      notes_.push_back(
          is_vector ? fmt::format("left out: {}, beside the array of velocities", name)
                    : fmt::format("left out: what was named like {}, which is no whole velocity", name));
    }
  }

  void place_bodies(const NamedArray& points) {
    auto& bodies = scene_.bodies;
    bodies.resize(points.tuples());
    // Those in single precision come back bit for bit when they count from 0.
    if (points.type != ArrayType::f64) rounding_.count_from({});
    bodies.origin = rounding_.origin();
    for (std::size_t i = 0; i < points.tuples(); ++i)
      bodies.position[i] = rounding_.place(vector_at(points, i));
  }

  void add_data() {
    constexpr std::size_t most_looked_up = 100;  // names; a hostile file has a million
    for (const auto& array : arrays_) {
      const auto name = printable(array.name);
      const bool is_color = array.name == "rgb";
      if (!is_color && !is_listed("velocity,vx,vy,vz,mass,charge,id,component,galaxy", array.name)) {
        // Orrery writes accelerations and forces, besides what it reads.
        if (array.name != "acceleration" && array.name != "force" && left_out_.size() < most_looked_up &&
            !contains(left_out_, name))
          left_out_.push_back(name);
      } else if (array.type == ArrayType::text) {
        notes_.push_back(fmt::format("left out: {}, which holds no numbers", name));
      } else {
        const auto data = rows_.empty() ? NamedArray() : kept_rows(array, rows_);
        is_color ? take_colors(rows_.empty() ? array : data) : take_quantity(rows_.empty() ? array : data);
      }
    }
  }

  void take_quantity(const NamedArray& data) {
    const auto count = scene_.bodies.size();
    const bool is_vector = data.name == "velocity";
    if (data.tuples() != count ||
        !(is_vector ? data.components == 2 || data.components == 3 : data.components == 1))
      cannot_read(
          file_.path,
          fmt::format("its array '{}' has {} of {}, which does not fit {}; write it again",
                      printable(data.name), counted(data.tuples(), "tuple", "tuples"),
                      counted(data.components, "number", "numbers"), counted(count, "point", "points")));
    fill(data);
    has_velocities_ = has_velocities_ || is_vector || data.name == "vx";
    has_masses_ = has_masses_ || data.name == "mass";
    has_ids_ = has_ids_ || data.name == "id";
    has_galaxies_ = has_galaxies_ || data.name == "galaxy";
  }

  void fill(const NamedArray& data) {
    auto& bodies = scene_.bodies;
    const auto column = column_from_name(data.name).value_or(Column::skip);
    if (column == Column::id || column == Column::component || column == Column::galaxy)
      return fill_whole(data);
    const bool is_vector = data.name == "velocity";
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      if (is_vector)
        bodies.velocity[i] = rounding_.velocity(vector_at(data, i));
      else
        set_number(bodies, i, column, data.number(i), rounding_);
    }
  }

  /// The quantities that are whole numbers.
  void fill_whole(const NamedArray& data) {
    auto& bodies = scene_.bodies;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const auto value = data.whole(i);
      if (data.name == "id") {
        bodies.id[i] = value.value_or(0);
        bad_ids_ = bad_ids_ || !value;
      } else if (data.name == "component") {
        const bool known = value.value_or(component_count) < component_count;
        bodies.component[i] = known ? static_cast<Component>(*value) : Component::other;
        if (!known) ++unknown_components_;
      } else {
        if (!value || *value > 0xffffffffU)
          cannot_read(file_.path, "its array of galaxies holds other numbers than 0, 1, ...; write it again");
        bodies.galaxy[i] = static_cast<std::uint32_t>(*value);
      }
    }
  }

  /// The colours that Orrery writes: three bytes per body.
  void take_colors(const NamedArray& data) {
    if (data.tuples() != scene_.bodies.size() || data.type != ArrayType::u8 || data.components != 3)
      return left_out_.push_back(printable(data.name));
    auto& color = scene_.bodies.color;
    color.assign(scene_.bodies.size(), 0);
    for (std::size_t i = 0; i < data.values(); ++i)
      color[i / 3] = 256U * color[i / 3] + std::to_integer<Color>(data.bytes[i]);
  }

  void settle() {
    if (has_ids_ || has_galaxies_) settle_ids(scene_, has_ids_, !bad_ids_);
    if (has_galaxies_) settle_galaxies(scene_);
    if (!has_masses_) assume_equal_masses(scene_);
    if (!has_velocities_) assume_no_velocities(scene_);
    if (unknown_components_ > 0)
      scene_.notes.push_back(
          fmt::format("{} 'other'", counted(unknown_components_, "body of a component of unknown number is",
                                            "bodies of a component of unknown number are")));
    if (left_out_.empty()) return;
    constexpr std::size_t most = 8;
    const bool more = left_out_.size() > most;
    left_out_.resize(std::min(left_out_.size(), most));
    scene_.notes.push_back(
        fmt::format("left out: {}{}", fmt::join(left_out_, ", "), more ? ", and more" : ""));
  }
};

bool names_cartesian_places(std::span<const std::string> names) {
  const auto has = [&](std::string_view quantity) {
    return std::ranges::any_of(names, [&](const auto& name) { return quantity_named(name) == quantity; });
  };
  return has("position") || (has("x") && has("y"));
}

/// The numbers of each column in the first rows.
std::vector<std::vector<double>> first_numbers(const NamedArray& rows) {
  constexpr std::size_t most = 1000;
  std::vector<std::vector<double>> columns(rows.components);
  for (std::size_t i = 0; i < std::min(most, rows.tuples()) * rows.components; ++i)
    columns[i % rows.components].push_back(rows.number(i));
  return columns;
}

/// More columns than rows: its rows are no bodies.
bool lies(const NamedArray& rows) { return rows.tuples() <= 8 && rows.components > 8; }

[[noreturn]] void refuse_matrix(const FileView& file, const NamedArray& rows) {
  cannot_read(
      file.path,
      lies(rows)
          ? fmt::format("its array has the shape ({}, {}): bodies must be rows; save its transpose, a.T",
                        rows.tuples(), rows.components)
          : fmt::format("an array of the shape ({}, {}) is of no known layout; name its columns, as in "
                        "--columns mass,x,y,z,vx,vy,vz",
                        rows.tuples(), rows.components));
}

/// One column of a matrix, in its own type.
NamedArray column_of(const NamedArray& rows, std::size_t k, std::string_view name) {
  const auto size = size_of(rows.type);
  NamedArray column{.name = std::string(name), .type = rows.type, .components = 1};
  column.bytes.resize(rows.tuples() * size);
  for (std::size_t i = 0; i < rows.tuples(); ++i)
    std::memcpy(column.bytes.data() + i * size, rows.bytes.data() + (i * rows.components + k) * size, size);
  return column;
}

}  // namespace

std::string quantity_named(std::string_view name) {
  const auto plain = plain_vector_name(name);
  if (is_listed(position_names, plain)) return "position";
  if (is_listed(velocity_names, plain)) return "velocity";
  return quantity_of(column_from_name(name));
}

bool is_sky_table(std::span<const std::string> names) {
  return names_directions(names) && !names_cartesian_places(names);
}

bool names_places(std::span<const std::string> names) {
  return names_cartesian_places(names) || names_directions(names);
}

bool needs_array(std::string_view name, std::span<const std::string> all) {
  return !quantity_named(name).empty() || (is_sky_table(all) && is_sky_quantity(name));
}

std::vector<NamedArray> needed_arrays(std::span<const std::string> names, Progress* progress,
                                      const std::function<NamedArray(std::size_t k)>& read) {
  std::vector<NamedArray> arrays;
  const Ticker ticker(progress, names.size(), 0.0F, 0.6F);
  for (std::size_t k = 0; k < names.size(); ++k) {
    ticker.at(k);
    arrays.push_back(needs_array(names[k], names) ? read(k)
                                                  : NamedArray{.name = names[k], .type = ArrayType::text});
  }
  return arrays;
}

Scene scene_of_arrays(const FileView& file, std::vector<NamedArray> arrays, const ReadOptions& options,
                      const std::string& source, bool states_law) {
  if (is_sky_table(names_of(arrays))) return sky_scene(file, arrays, options, source);
  return ArrayScene(file, std::move(arrays), options).make(source, states_law);
}

NamedArray array_of_numbers(std::string name, std::size_t count,
                            const std::function<double(std::size_t)>& number) {
  NamedArray array{.name = std::move(name), .type = ArrayType::f64, .components = 1};
  array.bytes.reserve(count * sizeof(double));
  for (std::size_t i = 0; i < count; ++i) array.append(number(i));
  return array;
}

Scene scene_of_matrix(const FileView& file, const NamedArray& rows, const ReadOptions& options,
                      const std::string& source) {
  if (rows.tuples() == 0) cannot_read(file.path, "its array is empty; choose another file");
  if (options.columns.empty() && lies(rows)) refuse_matrix(file, rows);
  const auto columns = options.columns.empty() ? columns_of_numbers(file, first_numbers(rows))
                                               : columns_of_option(options.columns);
  if (columns.size() != rows.components) refuse_matrix(file, rows);
  std::vector<NamedArray> arrays;
  for (std::size_t k = 0; k < rows.components; ++k)
    if (columns[k] != Column::skip) arrays.push_back(column_of(rows, k, name_of(columns[k])));
  auto scene = scene_of_arrays(file, std::move(arrays), options, source);
  if (options.columns.empty())
    scene.notes.push_back(fmt::format("columns without names were taken as {}; --columns overrides this",
                                      text_of(columns, ' ')));
  return scene;
}

}  // namespace orrery::sim
