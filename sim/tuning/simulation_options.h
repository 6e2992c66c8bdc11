#pragma once

#include "sim/physics/force_law.h"
#include "sim/scene.h"
#include "sim/tuning/configuration.h"

namespace orrery::sim {

/// The options of physics and of every engine: engine, kernel, threads, integrator, time step, softening,
/// force law, dimensions. An engine's file adds what only it knows; the program adds the display options.
void add_simulation_options(OptionTable& table);

/// Chooses the physics that a dataset comes with: units, softening, time step, force law, integrator,
/// dimensions.
void set_physics(Configuration& configuration, const Scene& scene);

/// The force law that a configuration asks for, with its own strengths.
ForceModel force_model(const Configuration& configuration);

}  // namespace orrery::sim
