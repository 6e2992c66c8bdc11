#include "sim/physics/fields/external_field.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "external_fields.h"

namespace orrery::sim {

namespace {

using namespace std::string_view_literals;

constexpr std::array point_mass_uses{"field-mass"sv, "field-radius"sv};

// phi = -GM / sqrt(r^2 + a^2): Plummer (1911, MNRAS 71, 460).
DVec3 point_mass_acceleration(const FieldConstants& c, const DVec3& x) {
  const double r2 = dot(x, x) + c.radius * c.radius;
  return (-c.gm / (r2 * std::sqrt(r2))) * x;
}

double point_mass_potential(const FieldConstants& c, const DVec3& x) {
  return -c.gm / std::sqrt(dot(x, x) + c.radius * c.radius);
}

constexpr std::array logarithmic_uses{"field-speed"sv, "field-radius"sv, "field-flattening"sv};

// Binney & Tremaine (2008), Galactic Dynamics, eq. 2.71a: phi = v0^2 / 2 ln(a^2 + R^2 + z^2 / q^2).
double squared_radius(const FieldConstants& c, const DVec3& x) {
  const double z = x.z / c.flattening;
  return c.radius * c.radius + x.x * x.x + x.y * x.y + z * z;
}

DVec3 logarithmic_acceleration(const FieldConstants& c, const DVec3& x) {
  const double factor = -c.speed_squared / squared_radius(c, x);
  return {factor * x.x, factor * x.y, factor * x.z / (c.flattening * c.flattening)};
}

double logarithmic_potential(const FieldConstants& c, const DVec3& x) {
  return 0.5 * c.speed_squared * std::log(squared_radius(c, x));
}

constexpr std::array miyamoto_nagai_uses{"field-mass"sv, "field-radius"sv, "field-height"sv};

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

double miyamoto_nagai_potential(const FieldConstants& c, const DVec3& x) {
  const double depth = c.radius + std::sqrt(x.z * x.z + c.height * c.height);
  return -c.gm / std::sqrt(x.x * x.x + x.y * x.y + depth * depth);
}

constexpr std::array nfw_uses{"field-mass"sv, "field-radius"sv};

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

double nfw_potential(const FieldConstants& c, const DVec3& x) {
  const double s = norm(x) / c.radius;
  return -c.gm / c.radius * (s > 0.0 ? std::log1p(s) / s : 1.0);
}

}  // namespace

constinit const ExternalField none_field{
    .name = "none",
    .meaning = "nothing acts but the bodies themselves",
    .device_code = {},
    .uses = {},
    .acceleration = nullptr,
    .potential = nullptr,
};

constinit const ExternalField point_mass_field{
    .name = "point-mass",
    .meaning = "a mass M, softened within the radius a: -G M / sqrt(r^2 + a^2) (Plummer 1911)",
    .device_code = "point_mass.cuh",
    .uses = point_mass_uses,
    .acceleration = point_mass_acceleration,
    .potential = point_mass_potential,
};

constinit const ExternalField logarithmic_field{
    .name = "logarithmic",
    .meaning =
        "a halo in which circular orbits outside the core a have one speed v0, flattened by q: v0^2/2 ln(a^2 "
        "+ R^2 + z^2/q^2) (Binney & Tremaine 2008, eq. 2.71a)",
    .device_code = "logarithmic.cuh",
    .uses = logarithmic_uses,
    .acceleration = logarithmic_acceleration,
    .potential = logarithmic_potential,
};

constinit const ExternalField miyamoto_nagai_field{
    .name = "miyamoto-nagai",
    .meaning =
        "a disk of mass M, scale length a and height b: -G M / sqrt(R^2 + (a + sqrt(z^2 + b^2))^2) (Miyamoto "
        "& Nagai 1975, PASJ 27, 533)",
    .device_code = "miyamoto_nagai.cuh",
    .uses = miyamoto_nagai_uses,
    .acceleration = miyamoto_nagai_acceleration,
    .potential = miyamoto_nagai_potential,
};

constinit const ExternalField nfw_field{
    .name = "nfw",
    .meaning =
        "a halo of Navarro, Frenk & White (1997, ApJ 490, 493): -G M ln(1 + r/a) / r; M is the mass within "
        "5.3 scale radii a",
    .device_code = "nfw.cuh",
    .uses = nfw_uses,
    .acceleration = nfw_acceleration,
    .potential = nfw_potential,
};

std::span<const ExternalField* const> external_fields() { return registry::external_fields; }

const ExternalField* find_external_field(std::string_view name) {
  const auto found = std::ranges::find(registry::external_fields, name, &ExternalField::name);
  return found == registry::external_fields.end() ? nullptr : *found;
}

}  // namespace orrery::sim
