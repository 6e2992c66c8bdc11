#pragma once

#include <string>
#include <string_view>

#include "sim/options/configuration.h"
#include "sim/options/option.h"
#include "sim/options/option_group.h"
#include "sim/physics/diagnostics/force_error.h"
#include "sim/tree/tree_settings.h"

namespace orrery::sim {

/// Option::group of the options of trees.
inline constexpr std::string_view tree_options_group = "tree";

/// The options of trees, on every engine: how a tree is built and walked.
struct TreeOptions {
  double accuracy = 0.0;
  FormValue opening;
  std::string order, far_cells;
  std::size_t group_size = 64, rebuild = 0;
  static OptionRows<TreeOptions> rows();
};

/// The tree options of a configuration.
inline TreeOptions tree_options(const Configuration& configuration) {
  return read_group<TreeOptions>(configuration);
}

/// Adds TreeOptions. `uses_tree`: true for configurations that sum forces by a tree.
void add_tree_options(OptionTable& table, bool (*uses_tree)(const Configuration& configuration));

/// A law for the force errors of a tree: the constants to calibrate (docs/trees.md, "The error").
struct ErrorLaw {
  double at_one;  ///< typical median error at alpha (or theta) = 1, by the power that holds for small ones
  double power;   ///< exponent of alpha (or theta) in the error
};
inline constexpr ErrorLaw relative_law{.at_one = 8.7e-3, .power = 0.63};
inline constexpr ErrorLaw geometric_law{.at_one = 1.6e-3, .power = 4.0};
/// The law of cells with masses only.
inline constexpr ErrorLaw relative_law_of_masses{.at_one = 2.5e-2, .power = 0.55};
inline constexpr ErrorLaw geometric_law_of_masses{.at_one = 5e-3, .power = 2.0};
/// The stated median and 99th percentile, over the typical median. The densest parts of a disk of few bodies
/// and hollow shells, inside which pulls cancel, keep to them too.
inline constexpr double stated_median = 3.0, stated_p99 = 25.0;
/// The 99th percentile that `accuracy` allows, over the median that it asks for.
inline constexpr double accurate_p99 = 14.0;

/// The alpha at which forces have about this median relative error, as was measured on spheres and disks; 1
/// at most.
double alpha_for(double median_error);

/// The choice of the option `order` that means `order`.
std::string name_of(CellOrder order);

/// The values of `opening` by which cells are taken as a whole: "relative:0.01" and "geometric:0.7".
std::string relative_opening(double alpha);
std::string geometric_opening(double theta);

/// The values of these options.
TreeSettings tree_settings(const Configuration& configuration);

/// The typical median error for these settings, by the law of their order and opening. The laws were measured
/// on spheres and disks of 65 536 to 1 048 576 bodies.
double median_error(const TreeSettings& settings);

/// The errors that these settings state: those of the law, and rounding. Groups of g < 16 bodies have
/// (16 / g)^0.6 times the error, cells of an age of k steps 1 + k / 16 times.
StatedError stated_error(const TreeSettings& settings);

/// "median below 1.4e-03, 99 % of the bodies below 1.2e-02".
std::string text_of(const StatedError& stated);

/// True for the own options of the engine that `configuration` chooses, and those of the tree, which engines
/// share.
bool is_of_engine(const Option& option, const Configuration& configuration);

}  // namespace orrery::sim
