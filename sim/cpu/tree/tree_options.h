#pragma once

#include "sim/cpu/tree/tree_settings.h"
#include "sim/options/configuration.h"
#include "sim/options/option.h"

namespace orrery::sim {

/// opening, alpha, theta, leaf-size, group-size: how a tree is built and walked.
void add_tree_options(OptionTable& table);

/// Their values.
TreeSettings tree_settings(const Configuration& configuration);

}  // namespace orrery::sim
