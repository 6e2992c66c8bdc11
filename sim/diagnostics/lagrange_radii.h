#pragma once

#include <span>
#include <vector>

#include "sim/diagnostics/centered_state.h"

namespace orrery::sim {

/// The radii of spheres about the centre that hold these fractions of the mass, 0 to 1 (S. J. Aarseth 2003,
/// Gravitational N-Body Simulations, 15.2): the distance of the body with which the sum reaches the fraction.
/// `profile_only`: of the bodies that are in the profile. Zeros where there are none.
std::vector<double> lagrange_radii(const CenteredState& state, std::span<const double> fractions,
                                   bool profile_only = false);

}  // namespace orrery::sim
