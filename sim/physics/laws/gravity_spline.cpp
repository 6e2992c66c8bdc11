#include <algorithm>
#include <cmath>

#include "sim/physics/laws/force_law.h"
#include "sim/physics/laws/pair_sum.h"

// Gravity softened by the cubic spline of smoothed particle hydrodynamics (Monaghan & Lattanzio 1985) in
// place of Plummer's sphere: each body is spread over a ball of radius h, beyond which it pulls as a point.
// Polynomials as in Springel, Yoshida & White 2001, New Astronomy 6, 79, eq. 71, and their derivative. h
// = 2.8 eps, so that the potential in the middle is Plummer's, -G m / eps.

namespace orrery::sim {

namespace {

constexpr double reach = 2.8;

double reach_of(const ForceConstants& constants) { return reach * std::sqrt(constants.softening_squared); }

/// The pull of a unit mass over the distance.
double weight(double r, double h) {
  if (r >= h) return r > 0.0 ? 1.0 / (r * r * r) : 0.0;
  const double u = r / h, u2 = u * u;
  const double inner = 32.0 / 3.0 + u2 * (32.0 * u - 38.4);
  if (u < 0.5) return inner / (h * h * h);
  const double outer = 64.0 / 3.0 - 48.0 * u + 38.4 * u2 - 32.0 / 3.0 * u2 * u - 1.0 / (15.0 * u2 * u);
  return outer / (h * h * h);
}

/// -potential of a unit mass over G.
double depth(double r, double h) {
  if (r >= h) return r > 0.0 ? 1.0 / r : 0.0;
  const double u = r / h, u2 = u * u;
  if (u < 0.5) return (2.8 - u2 * (16.0 / 3.0 + u2 * (6.4 * u - 9.6))) / h;
  const double series = u2 * (32.0 / 3.0 + u * (-16.0 + u * (9.6 - 32.0 / 15.0 * u)));
  return (3.2 - 1.0 / (15.0 * u) - series) / h;
}

/// Constants for single precision: 1 / h and its cube.
struct InverseReach {
  double value, cubed;
};
InverseReach inverse_reach(const ForceConstants& constants) {
  // Below, pairs are left out as they are of gravity (sim/cpu/kernels/interaction.h).
  constexpr double least = 1e-12;
  const double h = reach_of(constants);
  return h > least ? InverseReach{1.0 / h, 1.0 / (h * h * h)} : InverseReach{0.5 / least, 0.0};
}

/// As above, from the mass beyond r, which loses no digits near h.
float weight_single(float r2, float inverse_h, float inverse_h_cubed) {
  const float inverse = r2 > 1e-24F ? 1.0F / std::sqrt(r2) : 0.0F;
  const float u = r2 * inverse * inverse_h;
  if (u < 0.5F) return inverse_h_cubed * (32.0F / 3.0F + u * u * (32.0F * u - 38.4F));
  const float w = std::max(0.0F, 1.0F - u), w2 = w * w;
  return inverse * inverse * inverse * (1.0F - w2 * w2 * (16.0F - w * (25.6F - 32.0F / 3.0F * w)));
}

DVec3 acceleration(const ForceState& state, const ForceConstants& constants, std::size_t i,
                   GalaxyRange sources) {
  const DVec3 x(state.position[i]);
  const double h = reach_of(constants);
  DVec3 sum;
  for (std::size_t j = sources.first; j < sources.last; ++j) {
    const DVec3 d = DVec3(state.position[j]) - x;
    sum += (state.mass[j] * weight(norm(d), h)) * d;
  }
  return constants.gravitational_constant * sum;
}

Vec3 acceleration_single(const ForceState& state, const ForceConstants& constants, std::size_t i,
                         GalaxyRange sources) {
  const Vec3 x = state.position[i];
  const auto inverse = inverse_reach(constants);
  const auto inverse_h = static_cast<float>(inverse.value), cubed = static_cast<float>(inverse.cubed);
  Vec3 sum;
  for (std::size_t j = sources.first; j < sources.last; ++j) {
    const Vec3 d = state.position[j] - x;
    sum += (state.mass[j] * weight_single(dot(d, d), inverse_h, cubed)) * d;
  }
  return static_cast<float>(constants.gravitational_constant) * sum;
}

double potential(const PointMasses& masses, GalaxyRange sources, const DVec3& x,
                 const ForceConstants& constants) {
  const double h = reach_of(constants);
  double sum = 0.0;
  for (std::size_t j = sources.first; j < sources.last; ++j)
    sum += masses.mass[j] * depth(norm(masses.position(j) - x), h);
  return sum;
}

}  // namespace

constinit const ForceLaw gravity_spline_law{
    .name = "gravity-spline",
    .meaning = "gravity, softened by Gadget's cubic spline of radius 2.8 softening: exact beyond it",
    .device_code = "gravity_spline.cuh",
    .uses_charges = false,
    .acceleration = acceleration,
    .acceleration_single = acceleration_single,
    .device_constants =
        [](const ForceConstants& c) {
          const auto inverse = inverse_reach(c);
          return DeviceConstants{{c.gravitational_constant, inverse.value, inverse.cubed}, 3};
        },
    .shared_factor = [](const ForceConstants& c) { return c.gravitational_constant; },
    .weights = [](const ForceState& state) { return state.mass; },
    .strength = [](const ForceConstants& constants) { return -constants.gravitational_constant; },
    .potential = potential,
    .field = nullptr,
    .conserves_momentum = [](const ForceConstants&) { return true; },
};

}  // namespace orrery::sim
