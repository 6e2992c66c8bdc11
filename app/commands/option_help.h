#pragma once

#include <string>

#include "sim/options/option.h"

namespace orrery::app {

/// "on, off", "cpu, cuda" or "1 to 1024 ms".
std::string allowed_values(const sim::Option& option);

/// The table of options, as `--help-options` prints it.
std::string options_help();

}  // namespace orrery::app
