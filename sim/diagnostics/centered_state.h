#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/bodies/bodies.h"
#include "sim/core/vec3.h"
#include "sim/physics/diagnostics/diagnostics.h"

namespace orrery::sim {

/// Bodies of one galaxy seen from its centre, with the axis of its disk along z. What profiles are made of.
struct CenteredState {
  std::vector<DVec3> position, velocity;
  std::vector<double> mass;  ///< masses; for a sample scaled up, so that sums estimate those over all bodies
  std::vector<bool> in_profile;  ///< disk and gas; where there are none all but the halo; else all
  DVec3 center;               ///< position of the centre in the scene: the median of each coordinate, by mass
  DVec3 center_velocity;      ///< the mean of what lies within the half-mass radius
  DVec3 axis{0.0, 0.0, 1.0};  ///< a unit vector
  std::size_t bodies = 0;     ///< number of bodies of the galaxy that have mass

  std::size_t size() const { return mass.size(); }
  /// True if it holds some of the bodies, drawn by lot.
  bool is_sample() const { return size() < bodies; }
};

/// The galaxy and the number of bodies to take.
struct CenteringRequest {
  std::size_t galaxy = 0;     ///< its number; one that is not there gives an empty state
  std::size_t most = 20'000;  ///< sample size: larger galaxies are sampled at random with equal probability
  std::uint64_t seed = 1;
};

/// Bodies without mass, or whose place or velocity is not finite, are left out. The axis is the direction of
/// the angular momentum of what is `in_profile` within its half-mass radius, or z where it does not rotate as
/// one: where |L| is below a third of sum m |x| |v|. `component`: of all bodies, or empty (all are alike).
CenteredState center_state(const StateView& state, std::span<const Component> component,
                           const CenteringRequest& request = {});

/// The radii of spheres about the centre that hold these fractions of the mass, 0 to 1 (S. J. Aarseth 2003,
/// Gravitational N-Body Simulations, 15.2): the distance of the body with which the sum reaches the fraction.
/// `profile_only`: of the bodies that are in the profile. Zeros where there are none.
std::vector<double> lagrange_radii(const CenteredState& state, std::span<const double> fractions,
                                   bool profile_only = false);

}  // namespace orrery::sim
