#include "sim/diagnostics/structure.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/diagnostics/centered_state.h"
#include "sim/diagnostics/circular_speed.h"
#include "sim/physics/laws/force_law.h"

namespace orrery::sim {

namespace {

constexpr std::size_t most_phase_points = 1'500;
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

// Dozens of bodies a ring, or a profile is noise.
std::size_t ring_count(const CenteredState& state) {
  const auto members = static_cast<std::size_t>(std::ranges::count(state.in_profile, true));
  return std::clamp<std::size_t>(members / 40, 4, 24);
}

std::vector<ProfilePoint> profile_of(const CenteredState& state, const Physics& physics) {
  const auto rings = rings_of(state, ring_count(state));
  const bool gravity = physics.law == &gravity_law;
  std::vector<double> radii;
  for (const auto& ring : rings) radii.push_back(ring.radius());
  std::vector<double> speeds(radii.size(), unknown);
  if (gravity) speeds = circular_speeds(state, radii, physics);
  const auto kappa = epicyclic_frequencies(radii, speeds);
  std::vector<ProfilePoint> profile;
  for (std::size_t k = 0; k < rings.size(); ++k) {
    const double q =
        toomre_q(rings[k].sigma_r, kappa[k], physics.gravitational_constant, rings[k].surface_density());
    profile.push_back({rings[k], speeds[k], kappa[k], gravity ? q : unknown});
  }
  return profile;
}

std::vector<PhasePoint> phase_points(const CenteredState& state) {
  const auto members = static_cast<std::size_t>(std::ranges::count(state.in_profile, true));
  const std::size_t stride = std::max<std::size_t>((members + most_phase_points - 1) / most_phase_points, 1);
  std::vector<PhasePoint> points;
  std::size_t number = 0;
  for (std::size_t i = 0; i < state.size(); ++i) {
    const auto &x = state.position[i], &v = state.velocity[i];
    const double r = std::hypot(x.x, x.y);
    if (!state.in_profile[i] || number++ % stride != 0 || r == 0.0) continue;
    points.push_back({r, (x.x * v.x + x.y * v.y) / r, (x.x * v.y - x.y * v.x) / r});
  }
  return points;
}

}  // namespace

Structure structure_of(const StateView& state, std::span<const Component> component, const Physics& physics,
                       const CenteringRequest& request) {
  const auto centered = center_state(state, component, request);
  Structure result{.center = centered.center, .sample = centered.size(), .of = centered.bodies};
  std::ranges::copy(lagrange_radii(centered, Structure::fractions), result.lagrange.begin());
  constexpr std::array half{0.5};
  result.a2 = bar_strength(centered, lagrange_radii(centered, half, true).front());
  result.bound = physics.law == &gravity_law ? bound_fraction(centered, physics) : unknown;
  result.profile = profile_of(centered, physics);
  result.phase = phase_points(centered);
  return result;
}

double toomre_q(double sigma_r, double kappa, double gravitational_constant, double surface_density) {
  return sigma_r * kappa / (3.36 * gravitational_constant * surface_density);
}

double bar_strength(const CenteredState& state, double radius) {
  double cosine = 0.0, sine = 0.0, mass = 0.0;
  for (std::size_t i = 0; i < state.size(); ++i) {
    const auto& x = state.position[i];
    const double squared = x.x * x.x + x.y * x.y;
    if (!state.in_profile[i] || squared > radius * radius || squared == 0.0) continue;
    cosine += state.mass[i] * (x.x * x.x - x.y * x.y) / squared;
    sine += state.mass[i] * 2.0 * x.x * x.y / squared;
    mass += state.mass[i];
  }
  return mass > 0.0 ? std::hypot(cosine, sine) / mass : 0.0;
}

namespace {

double potential_at(const CenteredState& state, std::size_t i, const Physics& physics) {
  const double softening_squared = physics.softening * physics.softening;
  double sum = 0.0;
  for (std::size_t j = 0; j < state.size(); ++j) {
    const DVec3 apart = state.position[j] - state.position[i];
    const double squared = dot(apart, apart) + softening_squared;
    if (j != i && squared > 0.0) sum += state.mass[j] / std::sqrt(squared);
  }
  return -physics.gravitational_constant * sum;
}

}  // namespace

double bound_fraction(const CenteredState& state, const Physics& physics, std::size_t most) {
  const std::size_t stride =
      std::max<std::size_t>((state.size() + most - 1) / std::max<std::size_t>(most, 1), 1);
  double bound = 0.0, all = 0.0;
  for (std::size_t i = 0; i < state.size(); i += stride) {
    const auto& v = state.velocity[i];
    all += state.mass[i];
    if (0.5 * dot(v, v) + potential_at(state, i, physics) < 0.0) bound += state.mass[i];
  }
  return all > 0.0 ? bound / all : 0.0;
}

}  // namespace orrery::sim
