#pragma once

#include <string>
#include <vector>

#include "sim/options/configuration.h"
#include "sim/scene/scene.h"

namespace orrery::lab {

/// True if the engine has a tree and steps this scene faster with it than with direct sums, as was measured
/// (sim::fewest_for_tree).
bool tree_is_faster(const sim::Configuration& configuration, const sim::Scene& scene);

/// Chooses the tree where that is faster, and "auto" where the assignments ask for an accuracy, unless
/// `assignments` choose a kernel (or family, on a GPU) or `configuration` has another than the default of
/// `table`. Returns a line that says what was chosen, the errors that it states and how to choose otherwise;
/// empty: nothing changed.
std::string choose_kernel_for_many(const sim::OptionTable& table, sim::Configuration& configuration,
                                   const sim::Scene& scene, const std::vector<std::string>& assignments);

}  // namespace orrery::lab
