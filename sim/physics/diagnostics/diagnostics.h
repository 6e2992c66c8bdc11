#pragma once

#include <algorithm>
#include <cstddef>

#include "sim/bodies/bodies.h"
#include "sim/core/vec3.h"
#include "sim/physics/diagnostics/diagnostics_request.h"
#include "sim/physics/physics.h"

namespace orrery::sim {

/// Conserved and structural quantities, all summed in double precision, in the scene's units.
/// Forces act only inside a galaxy, so the potential is summed galaxy by galaxy.
struct Diagnostics {
  double mass = 0.0;
  double kinetic = 0.0;  ///< K = sum m v^2 / 2
  /// The part of K that is of whole galaxies: sum p^2 / 2 M over them. It holds none together.
  double kinetic_of_galaxies = 0.0;
  /// W = -G sum_{i<j} m_i m_j / sqrt(r_ij^2 + eps^2); of charges K_E sum_{i<j} q_i q_j / sqrt(r_ij^2 +
  /// eps^2): the magnetic force does no work.
  double potential = 0.0;
  /// One standard error of W: of the estimate from a sample, or of the tree, from its error at some bodies;
  /// 0: exact.
  double potential_uncertainty = 0.0;
  PotentialMethod potential_method = PotentialMethod::pairs;
  std::size_t potential_sample = 0;  ///< bodies of the sample; 0: not estimated from one
  double external = 0.0;             ///< energy of all bodies in the external field
  double external_virial = 0.0;  ///< sum m (x - c).a of the field about its centre c: its part of the virial
  DVec3 momentum;                ///< sum m v
  DVec3 angular_momentum;        ///< sum m x cross v, about the origin of the bodies
  DVec3 center_of_mass;          ///< counted from the origin of the bodies
  /// Radii around the galaxy's centre that hold 10, 50 and 90 % of the bodies that have mass. By number: a
  /// few heavy, far bodies do not decide the scale of what is seen. Equal masses make them the Lagrange
  /// radii. The centre is the median of each coordinate, weighted by mass: an escaper far away does not move
  /// it. Where all mass is at one point, bodies without mass count too.
  double r10 = 0.0;
  double r50 = 0.0;
  double r90 = 0.0;
  double half_mass_radius = 0.0;  ///< radius that holds half of the mass

  double energy() const { return kinetic + potential + external; }
  /// The kinetic energy without the bulk motion of each galaxy.
  double inner_kinetic() const { return std::max(0.0, kinetic - kinetic_of_galaxies); }
  /// Q = K / |W|: 0.5 in virial equilibrium, 0 cold, above 1 unbound. An external field adds its virial to W
  /// (Binney & Tremaine 2008, 4.8.3); without one, K is the inner one. 0 if W is 0. Says nothing about
  /// charges.
  double virial_ratio() const {
    const double virial = potential + external_virial;
    const double motion = external_virial == 0.0 ? inner_kinetic() : kinetic;
    return virial != 0.0 ? motion / -virial : 0.0;
  }
};

/// Moves the origin of centre of mass and angular momentum from `origin` to 0.
Diagnostics counted_from_zero(Diagnostics diagnostics, const DVec3& origin);

/// Computes all of Diagnostics. Zero bodies give zeros; massless bodies count in no sum but W (their charges
/// do, if all pairs are summed); coincident bodies with softening 0 are left out of W (their potential is
/// infinite).
Diagnostics diagnose(const StateView& state, const DiagnosticsRequest& request);

}  // namespace orrery::sim
