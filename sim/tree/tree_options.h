#pragma once

#include "sim/tree/tree_settings.h"
#include "sim/options/configuration.h"
#include "sim/options/option.h"

namespace orrery::sim {

/// opening, alpha, theta, leaf-size, group-size: how a tree is built and walked.
void add_tree_options(OptionTable& table);

/// True if the engine that a configuration chooses sums by a tree.
bool uses_tree(const Configuration& configuration);

/// Their values.
TreeSettings tree_settings(const Configuration& configuration);

/// The median relative error of the forces that these settings promise: three times what was measured
/// (docs/trees.md) on spheres and disks of 65 536 to 1 048 576 bodies, median = 8.7e-3 alpha^0.63 and 1.6e-3
/// theta^4.
double stated_error(const TreeSettings& settings);
/// The same of a configuration; 0 where its kernel sums every pair.
double stated_error(const Configuration& configuration);

}  // namespace orrery::sim
