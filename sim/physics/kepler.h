#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "sim/core/vec3.h"

namespace orrery::sim {

/// The ellipse on which a body would go around another one if there were no third: osculating elements
/// (Murray & Dermott 1999, Solar System Dynamics, section 2.8). Places are counted from the other body.
struct OsculatingEllipse {
  double semi_major_axis = 0.0;
  double eccentricity = 0.0;
  DVec3 to_pericentre;  ///< unit vector towards the pericentre
  DVec3 ahead;          ///< unit vector along the motion at pericentre

  /// The position of the body at an eccentric anomaly (radians).
  DVec3 at(double eccentric_anomaly) const;
  /// The eccentric anomaly of a place on the ellipse.
  double anomaly_of(const DVec3& place) const;
  /// 2 pi sqrt(a^3 / mu).
  double period(double mu) const;
};

/// The osculating ellipse from position and velocity relative to the other body, and mu = G times both
/// masses. Empty if the two are not bound, or fall straight together.
std::optional<OsculatingEllipse> osculating_ellipse(const DVec3& place, const DVec3& velocity, double mu);

/// Places and velocities of bodies, 4 floats each: (x, y, z, mass) and (vx, vy, vz, unused).
struct BodyStates {
  std::span<const float> position_mass;
  std::span<const float> velocity;
  std::size_t size() const { return position_mass.size() / 4; }
};

/// A body and the heavy one that it is bound to.
struct BoundPair {
  std::size_t body = 0, heavy = 0;
  OsculatingEllipse ellipse;  ///< around the heavy one
};
/// Every body that is bound to one at least 10 times as heavy, with the closest such ellipse: the Moon with
/// the Earth, the Earth with the Sun. Forces without softening. Takes N^2 time: for few bodies.
std::vector<BoundPair> bound_pairs(const BodyStates& bodies, double gravitational_constant);

}  // namespace orrery::sim
