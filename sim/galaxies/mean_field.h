#pragma once

#include <cstddef>
#include <vector>

#include "sim/galaxies/particles.h"
#include "sim/physics/laws/pair_sum.h"

namespace orrery::sim {

/// The softened field (G = 1) of particles, averaged over the azimuth: what the velocities of a
/// disk in equilibrium follow from. It is measured on the particles themselves, so that softening, truncation
/// and the actual masses are in it. Of many particles only every k-th counts, with k times its mass.
class MeanField {
 public:
  MeanField(const Particles& particles, double softening);
  /// The inward acceleration in the plane z = 0, averaged over the circle of radius R.
  double in_plane(double cylindrical_radius) const;
  /// The acceleration towards the plane at height z > 0, averaged over the circles of radius R at z and -z.
  double vertical(double cylindrical_radius, double z) const;

 private:
  DVec3 acceleration(const DVec3& x) const;
  PointMasses masses_;
  double softening_squared_ = 0.0;
};

}  // namespace orrery::sim
