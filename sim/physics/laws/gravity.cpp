#include <cmath>

#include "sim/physics/laws/force_law.h"
#include "sim/physics/laws/pair_sum.h"

namespace orrery::sim {

namespace {

DVec3 acceleration(const ForceState& state, const ForceConstants& constants, std::size_t i,
                   GalaxyRange sources) {
  const DVec3 x(state.position[i]);
  DVec3 sum;
  for (std::size_t j = sources.first; j < sources.last; ++j) {
    const DVec3 d = DVec3(state.position[j]) - x;
    const double r2 = dot(d, d) + constants.softening_squared;
    if (r2 > 0.0) sum += (state.mass[j] / (r2 * std::sqrt(r2))) * d;
  }
  return constants.gravitational_constant * sum;
}

double potential(const PointMasses& masses, GalaxyRange sources, const DVec3& x,
                 const ForceConstants& constants) {
  return inverse_distance_sum(masses, sources, x, constants.softening_squared);
}

/// The derivative of the sum above by time (Makino & Aarseth 1992, eq. 2).
DVec3 jerk(const ForceState& state, const ForceConstants& constants, std::size_t i, GalaxyRange sources) {
  const DVec3 x(state.position[i]), v(state.velocity[i]);
  DVec3 sum;
  for (std::size_t j = sources.first; j < sources.last; ++j) {
    const DVec3 d = DVec3(state.position[j]) - x, u = DVec3(state.velocity[j]) - v;
    const double r2 = dot(d, d) + constants.softening_squared;
    if (r2 > 0.0) sum += (state.mass[j] / (r2 * std::sqrt(r2))) * (u - (3.0 * dot(d, u) / r2) * d);
  }
  return constants.gravitational_constant * sum;
}

DVec3 field(const PointMasses& masses, GalaxyRange sources, const DVec3& x, const ForceConstants& constants) {
  return constants.gravitational_constant * attraction_sum(masses, sources, x, constants.softening_squared);
}

}  // namespace

constinit const ForceLaw gravity_law{
    .name = "gravity",
    .meaning = "masses attract: G m_j r / R^3, R^2 = r^2 + softening^2",
    .device_code = "gravity.cuh",
    .uses_charges = false,
    .acceleration = acceleration,
    .acceleration_single = nullptr,
    .device_constants =
        [](const ForceConstants& c) {
          return DeviceConstants{{c.gravitational_constant, c.softening_squared}, 2};
        },
    .shared_factor = [](const ForceConstants& c) { return c.gravitational_constant; },
    .weights = [](const ForceState& state) { return state.mass; },
    .strength = [](const ForceConstants& constants) { return -constants.gravitational_constant; },
    .potential = potential,
    .field = field,
    .conserves_momentum = [](const ForceConstants&) { return true; },
    .jerk = jerk,
    .device_jerk = "gravity_jerk.cuh",
};

}  // namespace orrery::sim
