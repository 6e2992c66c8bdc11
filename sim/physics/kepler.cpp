#include "sim/physics/kepler.h"

#include <cmath>
#include <numbers>

namespace orrery::sim {

namespace {

constexpr double heavy_ratio = 10.0;

DVec3 triple(std::span<const float> values, std::size_t i) {
  return {values[4 * i], values[4 * i + 1], values[4 * i + 2]};
}

/// The ellipse of body i around body k; empty where k is not heavy, or does not bind it.
std::optional<OsculatingEllipse> around(const BodyStates& bodies, std::size_t i, std::size_t k, double g) {
  const double mass = bodies.position_mass[4 * i + 3], heavy = bodies.position_mass[4 * k + 3];
  if (!(heavy > 0.0 && heavy >= heavy_ratio * mass)) return std::nullopt;
  return osculating_ellipse(triple(bodies.position_mass, i) - triple(bodies.position_mass, k),
                            triple(bodies.velocity, i) - triple(bodies.velocity, k), g * (mass + heavy));
}

}  // namespace

DVec3 OsculatingEllipse::at(double eccentric_anomaly) const {
  const double minor = std::sqrt(1.0 - eccentricity * eccentricity);
  return semi_major_axis * (std::cos(eccentric_anomaly) - eccentricity) * to_pericentre +
         semi_major_axis * minor * std::sin(eccentric_anomaly) * ahead;
}

double OsculatingEllipse::anomaly_of(const DVec3& place) const {
  const double minor = std::sqrt(1.0 - eccentricity * eccentricity);
  return std::atan2(dot(place, ahead) / minor, dot(place, to_pericentre) + semi_major_axis * eccentricity);
}

double OsculatingEllipse::period(double mu) const {
  return 2.0 * std::numbers::pi * std::sqrt(semi_major_axis * semi_major_axis * semi_major_axis / mu);
}

std::optional<OsculatingEllipse> osculating_ellipse(const DVec3& place, const DVec3& velocity, double mu) {
  const double r = norm(place);
  const double a = 1.0 / (2.0 / r - dot(velocity, velocity) / mu);
  const DVec3 momentum = cross(place, velocity);
  if (!(std::isfinite(a) && a > 0.0) || !(norm(momentum) > 0.0)) return std::nullopt;
  // The eccentricity (Laplace-Runge-Lenz) vector; of a circle any direction will do.
  const DVec3 vector = cross(velocity, momentum) * (1.0 / mu) - place * (1.0 / r);
  const double e = norm(vector);
  if (!(e < 1.0)) return std::nullopt;
  const DVec3 to_pericentre = e > 1e-12 ? vector * (1.0 / e) : place * (1.0 / r);
  const DVec3 ahead = cross(momentum, to_pericentre);
  return OsculatingEllipse{a, e, to_pericentre, ahead * (1.0 / norm(ahead))};
}

std::vector<BoundPair> bound_pairs(const BodyStates& bodies, double gravitational_constant) {
  std::vector<BoundPair> pairs;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    std::optional<BoundPair> closest;
    for (std::size_t k = 0; k < bodies.size(); ++k) {
      const auto ellipse = around(bodies, i, k, gravitational_constant);
      if (!ellipse || (closest && closest->ellipse.semi_major_axis <= ellipse->semi_major_axis)) continue;
      closest = BoundPair{i, k, *ellipse};
    }
    if (closest) pairs.push_back(*closest);
  }
  return pairs;
}

}  // namespace orrery::sim
