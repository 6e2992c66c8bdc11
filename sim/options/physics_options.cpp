#include "sim/options/physics_options.h"

namespace orrery::sim {

namespace {

/// Members of a Physics as values of options.
OptionValue option_value(double number) { return number; }
OptionValue option_value(int number) { return std::int64_t{number}; }
OptionValue option_value(const ForceLaw* law) { return std::string(law->name); }
OptionValue option_value(const Integrator* integrator) { return std::string(integrator->name); }
OptionValue option_value(const ExternalField* field) { return std::string(field->name); }
OptionValue option_value(const StepRule* rule) { return std::string(rule->name); }

void read_option(const Configuration& c, const char* name, double& number) { number = c.real(name); }
void read_option(const Configuration& c, const char* name, int& number) {
  number = static_cast<int>(c.integer(name));
}
void read_option(const Configuration& c, const char* name, const ForceLaw*& law) {
  law = find_force_law(c.choice(name));
}
void read_option(const Configuration& c, const char* name, const Integrator*& integrator) {
  integrator = find_integrator(c.choice(name));
}
void read_option(const Configuration& c, const char* name, const ExternalField*& field) {
  field = find_external_field(c.choice(name));
}
void read_option(const Configuration& c, const char* name, const StepRule*& rule) {
  rule = find_step_rule(c.choice(name));
}

}  // namespace

void set_physics(Configuration& configuration, const Physics& physics) {
  for_each_value(physics,
                 [&](const char* name, const auto& value) { configuration.set(name, option_value(value)); });
}

Physics physics_of(const Configuration& configuration) {
  Physics physics;
  for_each_value(physics, [&](const char* name, auto& value) { read_option(configuration, name, value); });
  return physics;
}

}  // namespace orrery::sim
