#pragma once

#include <string>

namespace orrery::app {

/// A script for bash that completes commands, arguments, options of --set with their values, galaxies,
/// ladders and formats. Made from the same tables as the help; needs no other package.
std::string bash_completion();

}  // namespace orrery::app
