#pragma once

#include <span>
#include <vector>

#include "sim/bodies/bodies.h"
#include "sim/physics/laws/force_law.h"
#include "sim/physics/physics.h"

namespace orrery::sim {

/// The accelerations of bodies `index` by direct summation in double precision, by the law's loop that
/// vectorizes where it has one. The result does not depend on `threads`. Throws Error for a body that belongs
/// to no galaxy.
std::vector<DVec3> reference_accelerations(const ForceState& state, std::span<const GalaxyRange> galaxies,
                                           const Physics& physics, std::span<const std::size_t> index,
                                           int threads = 1);
/// The reference accelerations of all bodies.
std::vector<DVec3> reference_accelerations(const ForceState& state, std::span<const GalaxyRange> galaxies,
                                           const Physics& physics);

}  // namespace orrery::sim
