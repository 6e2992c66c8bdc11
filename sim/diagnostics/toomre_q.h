#pragma once

namespace orrery::sim {

/// Q = sigma_R kappa / (3.36 G Sigma): a disk of stars with Q below 1 breaks up by its own gravity (A. Toomre
/// 1964, ApJ 139, 1217, eq. 65). Infinite where there is no mass.
double toomre_q(double sigma_r, double kappa, double gravitational_constant, double surface_density);

}  // namespace orrery::sim
