#pragma once

#include <string_view>

#include "sim/options/configuration.h"
#include "sim/options/option.h"
#include "sim/tree/tree_settings.h"

namespace orrery::sim {

/// Option::group of those below.
inline constexpr std::string_view tree_options_group = "tree";

/// accuracy, opening, alpha, theta, leaf-size, group-size, budget: how a tree is built and walked, on every
/// engine. `uses_tree`: true if a configuration sums by a tree.
void add_tree_options(OptionTable& table, bool (*uses_tree)(const Configuration& configuration));

/// The median error is about 8.7e-3 alpha to this power, as was measured (docs/trees.md).
inline constexpr double alpha_error_power = 0.63;

/// The alpha at which forces have about this median relative error, as was measured on spheres and disks; 1
/// at most.
double alpha_for(double median_error);

/// Their values.
TreeSettings tree_settings(const Configuration& configuration);

/// True if only sizes and distances say which cells are far: with family=fmm, and with opening=geometric.
/// Where pulls cancel such a rule errs by a larger part of what is left.
bool opens_by_geometry(const Configuration& configuration);

/// The median relative error of the forces as was measured (docs/trees.md) on spheres and disks of 65 536 to
/// 1 048 576 bodies: 8.7e-3 alpha^0.63 and 1.6e-3 theta^4; of masses alone 2.5e-2 alpha^0.55 and 5e-3
/// theta^2.
double median_error(const TreeSettings& settings);

/// The one that these settings promise: three times that, and rounding.
double stated_error(const TreeSettings& settings);
}  // namespace orrery::sim
