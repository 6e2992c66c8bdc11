#pragma once

#include <atomic>
#include <cstddef>
#include <span>
#include <vector>

#include "sim/bodies/bodies.h"
#include "sim/core/vec3.h"
#include "sim/physics/physics.h"

namespace orrery::sim {

/// The effect on one body of the other bodies of its galaxy. Sums in double precision, in the scene's units.
struct Surroundings {
  /// Per mass, -G sum_j m_j / sqrt(r_ij^2 + eps^2): energy per mass is v^2 / 2 plus this. Of gravity only.
  double potential = 0.0;
  DVec3 center;  ///< centre of mass of the galaxy, this body too; the body's own place without masses
};

/// One loop over the bodies of `galaxy`, which `body` belongs to. `position`: 4 floats per body (x, y, z,
/// mass). Bodies in the very same place without softening are left out: their potential is infinite.
Surroundings surroundings_of(std::size_t body, GalaxyRange galaxy, std::span<const float> position,
                             const Physics& physics);

/// The mass density around every body: with r_k the distance of its k-th nearest neighbour, the mass of the
/// first k - 1 neighbours over the volume of the sphere of radius r_k, which has no bias where the density is
/// even (Casertano & Hut 1985, ApJ 298, 80). The body itself does not count. Neighbours are of the same
/// galaxy; a galaxy of fewer than k + 1 bodies takes those it has. Infinite where k neighbours are in one
/// place, 0 for fewer than 2 neighbours, NaN for a body without a finite place (which is nobody's neighbour).
///
/// Computes the density with a k-d tree on one thread, in some microseconds per body. Returns nothing once
/// `stop` is set; `stop` may be null.
std::vector<float> local_density(std::span<const Vec3> position, std::span<const float> mass,
                                 std::span<const GalaxyRange> galaxies, std::size_t neighbours = 16,
                                 const std::atomic<bool>* stop = nullptr);

}  // namespace orrery::sim
