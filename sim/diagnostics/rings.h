#pragma once

#include <cstddef>
#include <vector>

#include "sim/diagnostics/centered_state.h"

namespace orrery::sim {

/// The bodies between two cylinders about the axis.
struct Ring {
  double inner = 0.0, outer = 0.0;
  std::size_t bodies = 0;
  double mass = 0.0;
  double rotation = 0.0;  ///< mean of v_phi by mass, positive about the axis
  /// Spread of the velocities about their means, by mass: sigma^2 = <v^2> - <v>^2 (J. Binney and S. Tremaine
  /// 2008, Galactic Dynamics, 4.1.2). NaN for fewer than two bodies.
  double sigma_r = 0.0, sigma_phi = 0.0, sigma_z = 0.0;

  double radius() const { return 0.5 * (inner + outer); }
  /// Sigma = m / (pi (R2^2 - R1^2)).
  double surface_density() const;
};

/// `count` rings of equal width that hold 95 % of the profile's bodies by their distance from the axis; none
/// where there are no bodies off the axis.
std::vector<Ring> rings_of(const CenteredState& state, std::size_t count = 24);

}  // namespace orrery::sim
