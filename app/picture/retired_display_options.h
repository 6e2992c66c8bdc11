#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "sim/options/configuration.h"

namespace orrery::app {

/// Options by name, with their values as --set takes them.
using OptionTexts = std::map<std::string, std::string>;

/// Takes those out of `options` that only earlier versions had.
OptionTexts take_retired(OptionTexts& options);

/// Sets what options of earlier versions say in today's, where these have the other values already. What they
/// said and nothing says today comes back as notes, one line each.
std::vector<std::string> apply_retired(const sim::OptionTable& table, const OptionTexts& retired,
                                       sim::Configuration& configuration);

/// Sets options from a JSON object of any version. Notes say what was left out.
/// Throws UsageError if it is no object.
std::vector<std::string> assign_options(const sim::OptionTable& table, const nlohmann::json& object,
                                        sim::Configuration& configuration);

}  // namespace orrery::app
