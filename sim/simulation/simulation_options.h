#pragma once

#include "sim/options/configuration.h"

namespace orrery::sim {

/// The options of physics and of every engine: engine, kernel, threads, integrator, time step, softening,
/// force law, dimensions. An engine's file adds what only it knows; the program adds the display options.
void add_simulation_options(OptionTable& table);

}  // namespace orrery::sim
