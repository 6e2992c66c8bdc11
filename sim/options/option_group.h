#pragma once

#include <cstddef>
#include <string>

#include "sim/options/configuration.h"

// Options as members of structs: code reads `gpu_options(c).update`, not `c.choice("update")`. A group is a
// struct with a function for_each_value, in which the name of each member's option stands once, as that of
// Physics (sim/physics/physics.h).
namespace orrery::sim {
/// Reads the option of that name into a member.
inline void read_value(const Configuration& c, const char* name, bool& value) { value = c.boolean(name); }
inline void read_value(const Configuration& c, const char* name, double& value) { value = c.real(name); }
inline void read_value(const Configuration& c, const char* name, std::string& value) {
  value = c.choice(name);
}
inline void read_value(const Configuration& c, const char* name, FormValue& value) { value = c.form(name); }
inline void read_value(const Configuration& c, const char* name, int& value) {
  value = static_cast<int>(c.integer(name));
}
inline void read_value(const Configuration& c, const char* name, std::size_t& value) {
  value = static_cast<std::size_t>(c.integer(name));
}

/// The members of a group, read from the options that its for_each_value names.
template <typename Group>
Group read_group(const Configuration& configuration) {
  Group group;
  for_each_value(group, [&](const char* name, auto& value) { read_value(configuration, name, value); });
  return group;
}

}  // namespace orrery::sim
