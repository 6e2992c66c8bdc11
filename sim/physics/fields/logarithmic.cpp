#include <array>
#include <cmath>

#include "sim/physics/fields/external_field.h"

namespace orrery::sim {

namespace {

constexpr std::array logarithmic_uses{FieldNumber::speed, FieldNumber::radius, FieldNumber::flattening};

// Binney & Tremaine (2008), Galactic Dynamics, eq. 2.71a: phi = v0^2 / 2 ln(a^2 + R^2 + z^2 / q^2).
double squared_radius(const FieldConstants& c, const DVec3& x) {
  const double z = x.z / c.flattening;
  return c.radius * c.radius + x.x * x.x + x.y * x.y + z * z;
}

DVec3 logarithmic_acceleration(const FieldConstants& c, const DVec3& x) {
  const double factor = -c.speed_squared / squared_radius(c, x);
  return {factor * x.x, factor * x.y, factor * x.z / (c.flattening * c.flattening)};
}

double potential(const FieldConstants& c, const DVec3& x) {
  return 0.5 * c.speed_squared * std::log(squared_radius(c, x));
}

}  // namespace

extern const ExternalField logarithmic_field;
constinit const ExternalField logarithmic_field{
    .name = "logarithmic",
    .meaning =
        "a halo in which circular orbits outside the core a have one speed v0, flattened by q: v0^2/2 ln(a^2 "
        "+ R^2 + z^2/q^2) (Binney & Tremaine 2008, eq. 2.71a)",
    .device_code = "logarithmic.cuh",
    .uses = logarithmic_uses,
    .acceleration = logarithmic_acceleration,
    .potential = potential,
};

}  // namespace orrery::sim
