#pragma once

#include <string>
#include <vector>

#include "lab/setup/dataset.h"
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

/// The configuration that a built-in galaxy will probably be computed with, before it is made: the
/// assignments, and a kernel as choose_kernel_for_many takes it. For a file, whose bodies nobody has counted,
/// the assignments alone. Throws sim::UsageError for assignments that are refused.
sim::Configuration probable_configuration(const sim::OptionTable& table, const DatasetRequest& request,
                                          const std::vector<std::string>& assignments);

}  // namespace orrery::lab
