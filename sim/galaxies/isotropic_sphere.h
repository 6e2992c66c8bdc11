#pragma once

#include <functional>

#include "sim/galaxies/draw_bodies.h"
#include "sim/galaxies/model.h"
#include "sim/galaxies/table.h"

namespace orrery::sim {

/// A sphere with velocities that are the same in all directions; G = 1, mass 1.
struct IsotropicSphere {
  std::function<double(double)>
      density;  ///< density as a function of radius: any normalization, decreasing, about 0 at the edge
  double edge = 10.0;             ///< nothing is outside
  double half_mass_radius = 1.0;  ///< half-mass radius of the unsoftened sphere; sets softening and time step
};

/// Draws bodies of an IsotropicSphere in equilibrium with their own softened gravity: the distribution
/// function is that of Eddington's formula in the softened potential (spheroid.h).
class SphereDistribution {
 public:
  SphereDistribution(const IsotropicSphere& sphere, double softening);

  /// A body at the radius within which that share of the mass is, in a random direction.
  DrawnBody draw(double fraction, Random& random) const;

 private:
  Table mass_, potential_, distribution_;
};

/// sqrt(3 pi / (16 G rho)) (Binney & Tremaine 2008, eq. 2.39) for half of the mass 1 within that radius.
double dynamical_time(double half_mass_radius);

/// The scene: softening, time step and pace follow from the half-mass radius and the number of bodies.
Scene make_isotropic_sphere(const IsotropicSphere& sphere, const ModelRequest& request);

}  // namespace orrery::sim
