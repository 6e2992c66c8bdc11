#pragma once

#include <span>
#include <vector>

#include "sim/diagnostics/centered_state.h"
#include "sim/physics/physics.h"

namespace orrery::sim {

/// The speed of circular orbits in the plane of the disk at these distances from the axis: v_c^2 = R |g_R|,
/// with the inward pull of all bodies by softened gravity, the mean over 8 points of the circle (J. Binney
/// and S. Tremaine 2008, Galactic Dynamics, eq. 2.29). 0 where the mean pull is outward. About 8 N operations
/// a distance.
std::vector<double> circular_speeds(const CenteredState& state, std::span<const double> radii,
                                    const Physics& physics);

/// The epicyclic frequency kappa^2 = (2 v_c / R) (v_c / R + dv_c/dR) (ibid., eq. 3.80, with Omega = v_c / R)
/// at each of the radii, which rise and are above 0. The slope is that of a straight line fitted to five
/// neighbouring radii. 0 where circular orbits are unstable; NaN for fewer than three radii.
std::vector<double> epicyclic_frequencies(std::span<const double> radii, std::span<const double> speeds);

}  // namespace orrery::sim
