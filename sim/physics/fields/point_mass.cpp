#include <array>
#include <cmath>

#include "sim/physics/fields/external_field.h"

namespace orrery::sim {

namespace {

constexpr std::array point_mass_uses{FieldNumber::mass, FieldNumber::radius};

// phi = -GM / sqrt(r^2 + a^2): Plummer (1911, MNRAS 71, 460).
DVec3 point_mass_acceleration(const FieldConstants& c, const DVec3& x) {
  const double r2 = dot(x, x) + c.radius * c.radius;
  return (-c.gm / (r2 * std::sqrt(r2))) * x;
}

double potential(const FieldConstants& c, const DVec3& x) {
  return -c.gm / std::sqrt(dot(x, x) + c.radius * c.radius);
}

}  // namespace

extern const ExternalField point_mass_field;
constinit const ExternalField point_mass_field{
    .name = "point-mass",
    .meaning = "a mass M, softened within the radius a: -G M / sqrt(r^2 + a^2) (Plummer 1911)",
    .device_code = "point_mass.cuh",
    .uses = point_mass_uses,
    .acceleration = point_mass_acceleration,
    .potential = potential,
};

}  // namespace orrery::sim
