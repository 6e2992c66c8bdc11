#include "sim/physics/physics.h"

#include <cmath>
#include <type_traits>

namespace orrery::sim {

bool Physics::same_forces(const Physics& other) const {
  Physics stepped_alike = *this;
  stepped_alike.time_step = other.time_step;
  stepped_alike.integrator = other.integrator;
  stepped_alike.step = other.step;
  stepped_alike.step_accuracy = other.step_accuracy;
  stepped_alike.step_length = other.step_length;
  return stepped_alike == other;
}

std::string problem_of(const Physics& physics) {
  std::string problem;
  for_each_value(physics, [&](const std::string& name, const auto& value) {
    if constexpr (std::is_pointer_v<std::remove_reference_t<decltype(value)>>) {
      if (value == nullptr) problem = name + " is not known to this version";
    } else {
      if (!std::isfinite(static_cast<double>(value))) problem = name + " is not a finite number";
    }
  });
  if (!problem.empty()) return problem;
  if (physics.softening < 0.0) return "softening is negative";
  if (physics.dimensions != 2 && physics.dimensions != 3) return "dimensions is neither 2 nor 3";
  if (!(physics.field_radius > 0.0)) return "field-radius is not above 0";
  if (physics.field_height < 0.0) return "field-height is negative";
  if (!(physics.field_flattening > 0.0)) return "field-flattening is not above 0";
  if (!(physics.step_accuracy > 0.0)) return "step-accuracy is not above 0";
  if (physics.step_length < 0.0) return "step-length is negative";
  return {};
}

}  // namespace orrery::sim
