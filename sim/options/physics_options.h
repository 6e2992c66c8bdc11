#pragma once

#include "sim/options/configuration.h"
#include "sim/physics/physics.h"

namespace orrery::sim {

/// Chooses a dataset's physics, or any other.
void set_physics(Configuration& configuration, const Physics& physics);

/// The physics that a configuration asks for.
Physics physics_of(const Configuration& configuration);

}  // namespace orrery::sim
