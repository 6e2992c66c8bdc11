#include "sim/snapshots/vtk_scene.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/core/counted.h"
#include "sim/core/letters.h"
#include "sim/core/message.h"
#include "sim/snapshots/check.h"
#include "sim/snapshots/csv_layout.h"

namespace orrery::sim {

namespace {

constexpr std::array velocity_names{"velocity", "velocities", "vel", "v"};
constexpr std::array id_names{"ids", "globalids", "globalnodeids", "pointids", "originalpointids"};
/// Arrays that this program writes besides those it reads.
constexpr std::array derived_names{"acceleration", "force"};
/// 0, 1, 2 for "u", "v", "w", which are velocities only together; 3 for others.
std::size_t velocity_letter(std::string_view name) {
  const auto plain = plain_letters(name);
  return plain.size() == 1 ? std::min<std::size_t>(std::string_view("uvw").find(plain), 3) : 3;
}

bool is_one_of(const auto& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

DVec3 vector_at(const VtkArray& data, std::size_t i) {
  const auto part = [&](std::size_t k) {
    return k < data.components ? data.number(i * data.components + k) : 0.0;
  };
  return {part(0), part(1), part(2)};
}

void set_value(const VtkArray& field, double& value) { value = field.number(0); }
void set_value(const VtkArray& field, int& value) {
  const double number = field.number(0);
  value = std::abs(number) < 1e9 && number == std::floor(number) ? static_cast<int>(number) : 0;
}
void set_value(const VtkArray& field, const ForceLaw*& law) { law = find_force_law(field.text()); }
void set_value(const VtkArray& field, const Integrator*& integrator) {
  integrator = find_integrator(field.text());
}
void set_value(const VtkArray& field, const ExternalField*& value) {
  value = find_external_field(field.text());
}
void set_value(const VtkArray& field, const StepRule*& value) { value = find_step_rule(field.text()); }

/// Texts are for texts, numbers for numbers.
template <typename Value>
bool is_of_kind(const VtkArray& field, const Value& /*value*/) {
  return (field.type == VtkType::text) == std::is_pointer_v<Value>;
}

}  // namespace

VtkSceneMaker::Quantity VtkSceneMaker::quantity_of(std::string_view name) {
  const auto plain = plain_letters(name);
  if (is_one_of(velocity_names, plain)) return Quantity::velocity;
  if (is_one_of(id_names, plain)) return Quantity::id;
  if (name == "rgb") return Quantity::color;
  const auto column = column_from_name(name);
  if (!column) return Quantity::none;
  switch (*column) {
    case Column::vx:
      return Quantity::vx;
    case Column::vy:
      return Quantity::vy;
    case Column::vz:
      return Quantity::vz;
    case Column::mass:
      return Quantity::mass;
    case Column::charge:
      return Quantity::charge;
    case Column::id:
      return Quantity::id;
    case Column::component:
      return Quantity::component;
    case Column::galaxy:
      return Quantity::galaxy;
    default:
      return Quantity::none;
  }
}

bool VtkSceneMaker::wants(std::string_view name) {
  if (quantity_of(name) != Quantity::none) return true;
  const auto text = printable(name);
  if (!is_one_of(derived_names, name) && !is_one_of(left_out_, text)) left_out_.push_back(text);
  return false;
}

void VtkSceneMaker::add_points(const VtkArray& points) {
  auto& bodies = scene_.bodies;
  bodies.resize(points.tuples());
  // Those in single precision come back bit for bit when they count from 0.
  if (points.type != VtkType::f64 && bodies.origin == DVec3{}) rounding_.count_from({});
  bodies.origin = rounding_.origin();
  for (std::size_t i = 0; i < points.tuples(); ++i)
    bodies.position[i] = rounding_.place(vector_at(points, i));
}

void VtkSceneMaker::add_data(const VtkArray& data) {
  const auto quantity = quantity_of(data.name);
  if (quantity == Quantity::none) return;
  const auto count = scene_.bodies.size();
  if (quantity == Quantity::color) return take_colors(data);
  const bool is_vector =
      quantity == Quantity::velocity && (data.components > 1 || velocity_letter(data.name) == 3);
  const bool fits = data.tuples() == count &&
                    (is_vector ? data.components == 2 || data.components == 3 : data.components == 1);
  if (!fits)
    cannot_read(file_.path, fmt::format("its array '{}' has {} of {}, which does not fit {}; write it again",
                                        printable(data.name), counted(data.tuples(), "tuple", "tuples"),
                                        counted(data.components, "number", "numbers"),
                                        counted(count, "point", "points")));
  if (is_vector) return take_vector(data);
  if (take_part(data)) return;
  for (std::size_t i = 0; i < count; ++i) take_scalar(data, quantity, i);
  has_masses_ = has_masses_ || quantity == Quantity::mass;
  has_ids_ = has_ids_ || quantity == Quantity::id;
  has_galaxies_ = has_galaxies_ || quantity == Quantity::galaxy;
}

/// Takes an array that makes sense only together with others.
bool VtkSceneMaker::take_part(const VtkArray& data) {
  const auto by_letter = velocity_letter(data.name);
  const auto quantity = by_letter < 3 ? Quantity::vx : quantity_of(data.name);
  if (quantity < Quantity::vx || quantity > Quantity::vz) return false;
  auto& parts = by_letter < 3 ? velocity_letters_ : velocity_parts_;
  const auto of_name = static_cast<std::size_t>(quantity) - static_cast<std::size_t>(Quantity::vx);
  const auto part = by_letter < 3 ? by_letter : of_name;
  parts.name(part, data.name);
  for (std::size_t i = 0; i < data.tuples(); ++i) parts.put(part, i, data.number(i));
  return true;
}

/// The colours that vtk_columns() writes: three bytes per body.
void VtkSceneMaker::take_colors(const VtkArray& data) {
  if (data.tuples() != scene_.bodies.size() || data.type != VtkType::u8 || data.components != 3)
    return left_out_.push_back(printable(data.name));
  auto& color = scene_.bodies.color;
  color.assign(scene_.bodies.size(), 0);
  for (std::size_t i = 0; i < data.values(); ++i)
    color[i / 3] = 256U * color[i / 3] + std::to_integer<Color>(data.bytes[i]);
}

void VtkSceneMaker::take_vector(const VtkArray& data) {
  auto& velocity = scene_.bodies.velocity;
  for (std::size_t i = 0; i < data.tuples(); ++i) velocity[i] = rounding_.velocity(vector_at(data, i));
  has_velocities_ = true;
}

void VtkSceneMaker::take_scalar(const VtkArray& data, Quantity quantity, std::size_t i) {
  auto& bodies = scene_.bodies;
  switch (quantity) {
    case Quantity::mass:
      bodies.mass[i] = rounding_.mass(data.number(i));
      return;
    case Quantity::charge:
      bodies.charge[i] = static_cast<float>(data.number(i));
      return;
    case Quantity::id: {
      const auto id = data.whole(i);
      bodies.id[i] = id.value_or(0);
      bad_ids_ = bad_ids_ || !id;
      return;
    }
    case Quantity::component: {
      const auto component = data.whole(i).value_or(component_count);
      const bool known = component < component_count;
      bodies.component[i] = known ? static_cast<Component>(component) : Component::other;
      if (!known) ++unknown_components_;
      return;
    }
    case Quantity::galaxy: {
      const auto galaxy = data.whole(i);
      if (!galaxy || *galaxy > 0xffffffffU)
        cannot_read(file_.path, "its array of galaxies holds other numbers than 0, 1, ...; write it again");
      bodies.galaxy[i] = static_cast<std::uint32_t>(*galaxy);
      return;
    }
    default:
      return;
  }
}

void VtkSceneMaker::add_field(const VtkArray& field) {
  if (field.values() == 0) return;
  const bool is_text = field.type == VtkType::text;
  if (field.name == "title" && is_text) scene_.title = readable(field.text(), 80);
  if (is_text || std::isfinite(field.number(0))) take_physics_field(field);
  if (is_text || !std::isfinite(field.number(0))) return;
  // Visit says TIME.
  if (field.name == vtk_time_name || field.name == "TIME") scene_.time = field.number(0);
  if (field.name == "speed") scene_.speed = field.number(0);
  for_each_unit(scene_.units, [&](const char* name, double& unit) {
    if (field.name == name && field.number(0) > 0.0) unit = field.number(0);
  });
}

void VtkSceneMaker::take_physics_field(const VtkArray& field) {
  for_each_value(scene_.physics, [&](const char* name, auto& value) {
    if (field.name != name || !is_of_kind(field, value)) return;
    set_value(field, value);
    stated_.emplace_back(name);
  });
}

/// Either the file states what a step needs, or what it states is left to the suggestions.
void VtkSceneMaker::settle_physics() {
  const auto is_stated = [this](std::string_view name) { return is_one_of(stated_, name); };
  scene_.states_physics = is_stated("gravity") && is_stated("softening") && is_stated("time-step");
  if (!scene_.states_physics) {
    scene_.physics = {};
    suggest_force_law(scene_);
    return;
  }
  if (!is_stated("force-law")) suggest_force_law(scene_);
  if (const auto problem = problem_of(scene_.physics); !problem.empty())
    cannot_read(file_.path, fmt::format("its {}; write it again, or update the program", problem));
}

void VtkSceneMaker::leave_out(const NamedTriple& parts) {
  for (const auto& name : parts.names()) left_out_.push_back(printable(name));
}

/// A whole velocity counts: a vector before numbers, these before letters, which may be of textures.
void VtkSceneMaker::settle_velocities() {
  const bool by_parts = !has_velocities_ && velocity_parts_.has(0) && velocity_parts_.has(1);
  const bool by_letters = !has_velocities_ && !by_parts && velocity_letters_.complete();
  if (!by_parts) leave_out(velocity_parts_);
  if (!by_letters) leave_out(velocity_letters_);
  if (!by_parts && !by_letters) return;
  const auto& parts = by_parts ? velocity_parts_ : velocity_letters_;
  for (std::size_t i = 0; i < parts.values().size(); ++i) {
    const auto& [x, y, z] = parts.values()[i];
    scene_.bodies.velocity[i] = rounding_.velocity({x, y, parts.has(2) ? z : 0.0});
  }
  has_velocities_ = true;
}

void VtkSceneMaker::note_left_out() {
  if (unknown_components_ > 0)
    scene_.notes.push_back(
        fmt::format("{} 'other'", counted(unknown_components_, "body of a component of unknown number is",
                                          "bodies of a component of unknown number are")));
  if (left_out_.empty()) return;
  constexpr std::size_t most = 8;
  const bool more = left_out_.size() > most;
  left_out_.resize(std::min(left_out_.size(), most));
  scene_.notes.push_back(fmt::format("left out: {}{}", fmt::join(left_out_, ", "), more ? ", and more" : ""));
}

Scene VtkSceneMaker::take(std::string source) {
  settle_velocities();
  scene_.source = std::move(source);
  if (has_ids_ || has_galaxies_) settle_ids(scene_, has_ids_, !bad_ids_);
  if (has_galaxies_) settle_galaxies(scene_);
  if (!has_masses_) assume_equal_masses(scene_);
  if (!has_velocities_) assume_no_velocities(scene_);
  note_left_out();
  settle_physics();
  return std::move(scene_);
}

}  // namespace orrery::sim
