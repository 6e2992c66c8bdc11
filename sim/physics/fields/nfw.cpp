#include <array>
#include <cmath>

#include "sim/physics/fields/external_field.h"

namespace orrery::sim {

namespace {

constexpr std::array nfw_uses{FieldNumber::mass, FieldNumber::radius};

// Navarro, Frenk & White (1997), ApJ 490, 493: M(<r) = M (ln(1 + s) - s / (1 + s)) with s = r / a, so
// phi = -GM ln(1 + s) / r.

/// (ln(1 + s) - s / (1 + s)) / s^2. Near 0, where the terms cancel, its series sum_n (-1)^n (n-1)/n s^(n-2).
double shape(double s) {
  if (s > 0.01) return (std::log1p(s) - s / (1.0 + s)) / (s * s);
  return 1.0 / 2 + s * (-2.0 / 3 + s * (3.0 / 4 + s * (-4.0 / 5 + s * (5.0 / 6 + s * (-6.0 / 7)))));
}

DVec3 nfw_acceleration(const FieldConstants& c, const DVec3& x) {
  const double r = norm(x);
  if (!(r > 0.0)) return {};
  return (-c.gm * shape(r / c.radius) / (c.radius * c.radius * r)) * x;
}

double potential(const FieldConstants& c, const DVec3& x) {
  const double s = norm(x) / c.radius;
  return -c.gm / c.radius * (s > 0.0 ? std::log1p(s) / s : 1.0);
}

}  // namespace

extern const ExternalField nfw_field;
constinit const ExternalField nfw_field{
    .name = "nfw",
    .meaning =
        "a halo of Navarro, Frenk & White (1997, ApJ 490, 493): -G M ln(1 + r/a) / r; M is the mass within "
        "5.3 scale radii a",
    .device_code = "nfw.cuh",
    .uses = nfw_uses,
    .acceleration = nfw_acceleration,
    .potential = potential,
};

}  // namespace orrery::sim
