#pragma once

#include "sim/options/configuration.h"

namespace orrery::app {

/// Adds the options of the picture and of the run: colours, sprites, exposure, legend, speed.
void add_display_options(sim::OptionTable& table);

/// Every option of the program.
sim::OptionTable all_options();

}  // namespace orrery::app
