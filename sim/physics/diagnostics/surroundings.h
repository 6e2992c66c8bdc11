#pragma once

#include <cstddef>
#include <span>

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

}  // namespace orrery::sim
