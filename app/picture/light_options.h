#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/options/configuration.h"

namespace orrery::app {

/// Adds the options of how light becomes a picture: look, exposure, tone curve, glow, dither, paper.
void add_light_options(sim::OptionTable& table);

/// True if the light in the picture decides how bright it is.
bool exposure_is_automatic(const sim::Configuration& configuration);

/// The options that a look sets, with their values. Empty for an unknown name.
std::vector<std::pair<std::string, sim::OptionValue>> look_settings(std::string_view look);

/// The assignments with those of a look after every "look=NAME", so that what comes later wins.
std::vector<std::string> with_looks(const std::vector<std::string>& assignments);

}  // namespace orrery::app
