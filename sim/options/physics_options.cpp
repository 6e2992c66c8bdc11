#include "sim/options/physics_options.h"

#include <type_traits>

namespace orrery::sim {

namespace {

/// Members of a Physics as values of options: numbers, and things that are registered by a name.
OptionValue option_value(double number) { return number; }
OptionValue option_value(int number) { return std::int64_t{number}; }
template <typename Named>
OptionValue option_value(const Named* thing) {
  return std::string(thing->name);
}

void read_option(const OptionValue& v, double& number) { number = std::get<double>(v); }
void read_option(const OptionValue& v, int& number) { number = static_cast<int>(std::get<std::int64_t>(v)); }
void read_option(const OptionValue& v, const ForceLaw*& law) {
  law = find_force_law(std::get<std::string>(v));
}
void read_option(const OptionValue& v, const Integrator*& integrator) {
  integrator = find_integrator(std::get<std::string>(v));
}
void read_option(const OptionValue& v, const ExternalField*& field) {
  field = find_external_field(std::get<std::string>(v));
}
void read_option(const OptionValue& v, const StepRule*& rule) {
  rule = find_step_rule(std::get<std::string>(v));
}

}  // namespace

void set_physics(Configuration& configuration, const Physics& physics) {
  for_each_value(physics,
                 [&](const char* name, const auto& value) { configuration.set(name, option_value(value)); });
}

Physics physics_of(const Configuration& configuration) {
  Physics physics;
  for_each_value(physics,
                 [&](const char* name, auto& value) { read_option(configuration.value(name), value); });
  return physics;
}

Description physics_option(const Physics& usual, const void* member, std::string label, std::string meaning) {
  auto option = described("", "physics", std::move(label), std::move(meaning));
  for_each_value(usual, [&](const char* name, const auto& value) {
    if (&value != member) return;
    option.name = name;
    option.default_value = option_value(value);
    if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(value)>>)
      option.kind =
          std::is_integral_v<std::remove_cvref_t<decltype(value)>> ? OptionKind::integer : OptionKind::real;
  });
  return option;
}

}  // namespace orrery::sim
