#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/options/option.h"

namespace orrery::app {

/// The options that a look sets, with their values. Empty for an unknown name.
std::vector<std::pair<std::string, sim::OptionValue>> look_settings(std::string_view look);

/// The assignments with those of a look after every "look=NAME", so that what comes later wins.
std::vector<std::string> with_looks(const std::vector<std::string>& assignments);

}  // namespace orrery::app
