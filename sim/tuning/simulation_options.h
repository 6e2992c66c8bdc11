#pragma once

#include "sim/physics/physics.h"
#include "sim/tuning/configuration.h"

namespace orrery::sim {

/// The options of physics and of every engine: engine, kernel, threads, integrator, time step, softening,
/// force law, dimensions. An engine's file adds what only it knows; the program adds the display options.
void add_simulation_options(OptionTable& table);

/// Chooses a dataset's physics, or any other.
void set_physics(Configuration& configuration, const Physics& physics);

/// The physics that a configuration asks for.
Physics physics_of(const Configuration& configuration);

}  // namespace orrery::sim
