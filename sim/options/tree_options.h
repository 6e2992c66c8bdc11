#pragma once

#include <string>
#include <string_view>

#include "sim/options/configuration.h"
#include "sim/options/option.h"
#include "sim/tree/tree_settings.h"

namespace orrery::sim {

/// Option::group of those below.
inline constexpr std::string_view tree_options_group = "tree";

/// What the options of a tree have to know of what a configuration runs.
struct TreeTraits {
  bool (*uses_tree)(const Configuration& configuration);  ///< it sums by a tree
  /// Its cells act on cells, by expansions: what a walk does with cells means nothing.
  bool (*has_multipoles)(const Configuration& configuration);
};

/// accuracy, opening, alpha, theta, order, far-cells, leaf-size, group-size, budget, rebuild: how a tree is
/// built and walked, on every engine.
void add_tree_options(OptionTable& table, const TreeTraits& traits);

/// The median error is about 8.7e-3 alpha to this power, as was measured (docs/trees.md).
inline constexpr double alpha_error_power = 0.63;

/// The alpha at which forces have about this median relative error, as was measured on spheres and disks; 1
/// at most.
double alpha_for(double median_error);

/// The choice of `order` for it.
std::string name_of(CellOrder order);

/// Their values; `multipoles`: of what has_multipoles.
TreeSettings tree_settings(const Configuration& configuration, bool multipoles = false);

/// The median relative error of the forces as was measured (docs/trees.md) on spheres and disks of 65 536 to
/// 1 048 576 bodies: 8.7e-3 alpha^0.63 and 1.6e-3 theta^4; of masses alone 2.5e-2 alpha^0.55 and 5e-3
/// theta^2.
double median_error(const TreeSettings& settings);

/// The one that these settings promise: three times that, and rounding; with groups of g < 16 bodies
/// (16 / g)^0.4 times as much.
double stated_error(const TreeSettings& settings);
}  // namespace orrery::sim
