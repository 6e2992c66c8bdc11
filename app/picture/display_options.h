#pragma once

#include "sim/options/configuration.h"

namespace orrery::app {

/// Every option of the program.
sim::OptionTable all_options();

}  // namespace orrery::app
