#pragma once

#include <string>
#include <utility>

#include "sim/options/configuration.h"
#include "sim/options/describe.h"
#include "sim/physics/physics.h"

namespace orrery::sim {

/// Chooses a dataset's physics, or any other.
void set_physics(Configuration& configuration, const Physics& physics);

/// The physics that a configuration asks for.
Physics physics_of(const Configuration& configuration);

/// The description of a member of a Physics: its name is that of for_each_value, its default that of a new
/// Physics. `member` belongs to `usual`.
Description physics_option(const Physics& usual, const void* member, std::string label, std::string meaning);
template <typename Value>
Description physics_option(Value Physics::*member, std::string label, std::string meaning) {
  const Physics usual;
  return physics_option(usual, &(usual.*member), std::move(label), std::move(meaning));
}

/// Descriptions of the options that choose a law, a rule and a field, with the numbers that each one takes,
/// and of the place of the field.
Description force_law_option(std::string meaning);
Description step_option(std::string meaning);
Description field_option(std::string meaning);
Description field_center_option(std::string meaning);

/// True if two floats hold each number of the state.
inline bool is_compensated(const Configuration& configuration) {
  return configuration.choice("state-precision") == "compensated";
}

}  // namespace orrery::sim
