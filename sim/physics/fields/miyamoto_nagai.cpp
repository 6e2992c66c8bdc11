#include <array>
#include <cmath>

#include "sim/physics/fields/external_field.h"

namespace orrery::sim {

namespace {

constexpr std::array miyamoto_nagai_uses{FieldNumber::mass, FieldNumber::radius, FieldNumber::height};

// Miyamoto & Nagai (1975), PASJ 27, 533: phi = -GM / sqrt(R^2 + (a + sqrt(z^2 + b^2))^2).
DVec3 miyamoto_nagai_acceleration(const FieldConstants& c, const DVec3& x) {
  const double thick = std::sqrt(x.z * x.z + c.height * c.height);
  const double depth = c.radius + thick;
  const double d2 = x.x * x.x + x.y * x.y + depth * depth;
  const double factor = -c.gm / (d2 * std::sqrt(d2));
  // In a razor-thin disk the pull along z jumps in the plane, where it is 0.
  const double along_z = thick > 0.0 ? depth / thick : 0.0;
  return {factor * x.x, factor * x.y, factor * along_z * x.z};
}

double potential(const FieldConstants& c, const DVec3& x) {
  const double depth = c.radius + std::sqrt(x.z * x.z + c.height * c.height);
  return -c.gm / std::sqrt(x.x * x.x + x.y * x.y + depth * depth);
}

}  // namespace

extern const ExternalField miyamoto_nagai_field;
constinit const ExternalField miyamoto_nagai_field{
    .name = "miyamoto-nagai",
    .meaning =
        "a disk of mass M, scale length a and height b: -G M / sqrt(R^2 + (a + sqrt(z^2 + b^2))^2) (Miyamoto "
        "& Nagai 1975, PASJ 27, 533)",
    .device_code = "miyamoto_nagai.cuh",
    .uses = miyamoto_nagai_uses,
    .acceleration = miyamoto_nagai_acceleration,
    .potential = potential,
};

}  // namespace orrery::sim
