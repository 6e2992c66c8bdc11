#include "sim/options/physics_options.h"

#include <algorithm>
#include <array>
#include <type_traits>

namespace orrery::sim {

namespace {

/// A number that stands in the value of another option: "step=adaptive:0.2".
struct Part {
  double Physics::*member;
  FormNumber number;
};
using Parts = std::vector<const Part*>;

/// First places in all_parts(): of charges, steps, fields (as FieldNumber), a field's place.
constexpr std::size_t of_charges = 0, of_steps = 2, of_fields = 4, of_place = 9, parts_count = 12;

const std::array<Part, parts_count>& all_parts() {
  constexpr double most = 1e30;
  const auto part = [](double Physics::*member, const char* name, double low, double high, const char* unit) {
    return Part{member, scaled_number(name, Physics().*member, low, high, unit)};
  };
  static const std::array<Part, parts_count> all{
      part(&Physics::coulomb, "COULOMB", 0.0, most, "force length^2 / charge^2"),
      part(&Physics::magnetic, "MAGNETIC", 0.0, most, "force time^2 / charge^2"),
      part(&Physics::step_accuracy, "ETA", 1e-6, 1e6, ""),
      part(&Physics::step_length, "LENGTH", 0.0, most, "length"),
      part(&Physics::field_mass, "MASS", 0.0, most, "mass"),
      part(&Physics::field_speed, "SPEED", 0.0, most, "length / time"),
      part(&Physics::field_radius, "RADIUS", 1e-19, most, "length"),
      part(&Physics::field_height, "HEIGHT", 0.0, most, "length"),
      part(&Physics::field_flattening, "FLATTENING", 0.01, most, ""),
      part(&Physics::field_x, "X", -most, most, "length"),
      part(&Physics::field_y, "Y", -most, most, "length"),
      part(&Physics::field_z, "Z", -most, most, "length")};
  return all;
}

Parts parts_between(std::size_t first, std::size_t last) {
  Parts some;
  for (std::size_t k = first; k < last; ++k) some.push_back(&all_parts().at(k));
  return some;
}

Parts parts_of(const ForceLaw& law) {
  return law.uses_charges ? parts_between(of_charges, of_steps) : Parts();
}
Parts parts_of(const StepRule& rule) {
  return rule.parts == StepParts::one ? Parts() : parts_between(of_steps, of_fields);
}
Parts parts_of(const ExternalField& field) {
  Parts parts;
  for (const auto each : field.uses)
    parts.push_back(&all_parts().at(of_fields + static_cast<std::size_t>(each)));
  return parts;
}
Parts parts_of(const Integrator& /*integrator*/) { return {}; }
Parts parts_of_place() { return parts_between(of_place, parts_count); }

bool is_part(const Physics& physics, const void* value) {
  return std::ranges::any_of(all_parts(), [&](const Part& part) { return &(physics.*part.member) == value; });
}

/// Members of a Physics as values of options: numbers, and registered things with their own numbers.
OptionValue option_value(const Physics& /*physics*/, double number) { return number; }
OptionValue option_value(const Physics& /*physics*/, int number) { return std::int64_t{number}; }
OptionValue form_value_of(const Physics& physics, std::string_view word, const Parts& parts) {
  FormValue value{.word = std::string(word), .numbers = {}};
  for (const auto* part : parts) value.numbers.push_back(physics.*part->member);
  return form_text(value);
}
template <typename Named>
OptionValue option_value(const Physics& physics, const Named* thing) {
  return form_value_of(physics, thing->name, parts_of(*thing));
}

void find(std::string_view name, const ForceLaw*& law) { law = find_force_law(name); }
void find(std::string_view name, const Integrator*& integrator) { integrator = find_integrator(name); }
void find(std::string_view name, const ExternalField*& field) { field = find_external_field(name); }
void find(std::string_view name, const StepRule*& rule) { rule = find_step_rule(name); }

void read_parts(Physics& physics, const FormValue& value, const Parts& parts) {
  for (std::size_t k = 0; k < std::min(parts.size(), value.numbers.size()); ++k)
    physics.*parts[k]->member = value.numbers[k];
}

void read_option(Physics& /*physics*/, const OptionValue& v, double& number) { number = std::get<double>(v); }
void read_option(Physics& /*physics*/, const OptionValue& v, int& number) {
  number = static_cast<int>(std::get<std::int64_t>(v));
}
template <typename Named>
void read_option(Physics& physics, const OptionValue& v, const Named*& thing) {
  const auto value = form_value(std::get<std::string>(v));
  find(value.word, thing);
  if (thing != nullptr) read_parts(physics, value, parts_of(*thing));
}

std::vector<FormNumber> numbers_of(const Parts& parts) {
  std::vector<FormNumber> numbers;
  for (const auto* part : parts) numbers.push_back(part->number);
  return numbers;
}

template <typename List>
std::vector<OptionForm> forms_of(const List& things) {
  std::vector<OptionForm> forms;
  for (const auto* thing : things)
    forms.push_back({.word = std::string(thing->name),
                     .numbers = numbers_of(parts_of(*thing)),
                     .meaning = std::string(thing->meaning)});
  return forms;
}

constexpr const char* field_center = "field-center";

}  // namespace

void set_physics(Configuration& configuration, const Physics& physics) {
  for_each_value(physics, [&](const char* name, const auto& value) {
    if (!is_part(physics, &value)) configuration.set(name, option_value(physics, value));
  });
  configuration.set(field_center, form_value_of(physics, "", parts_of_place()));
}

Physics physics_of(const Configuration& configuration) {
  Physics physics;
  for_each_value(physics, [&](const char* name, auto& value) {
    if (!is_part(physics, &value)) read_option(physics, configuration.value(name), value);
  });
  read_parts(physics, configuration.form(field_center), parts_of_place());
  return physics;
}

Description physics_option(const Physics& usual, const void* member, std::string label, std::string meaning) {
  auto option = described("", "physics", std::move(label), std::move(meaning));
  for_each_value(usual, [&](const char* name, const auto& value) {
    if (&value != member) return;
    option.name = name;
    option.default_value = option_value(usual, value);
    if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(value)>>)
      option.kind =
          std::is_integral_v<std::remove_cvref_t<decltype(value)>> ? OptionKind::integer : OptionKind::real;
  });
  return option;
}

Description force_law_option(std::string meaning) {
  return physics_option(&Physics::law, "", std::move(meaning)).formed(forms_of(force_laws()));
}
Description step_option(std::string meaning) {
  return physics_option(&Physics::step, "", std::move(meaning)).formed(forms_of(step_rules()));
}
Description field_option(std::string meaning) {
  return physics_option(&Physics::field, "", std::move(meaning)).formed(forms_of(external_fields()));
}
Description field_center_option(std::string meaning) {
  return described(field_center, "physics", "", std::move(meaning)).numbered(numbers_of(parts_of_place()));
}

}  // namespace orrery::sim
