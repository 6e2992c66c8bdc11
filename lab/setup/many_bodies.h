#pragma once

#include <string>
#include <vector>

#include "sim/options/configuration.h"
#include "sim/scene/scene.h"

namespace orrery::lab {

/// True if the engine is to sum more pairs of this scene in a step than anybody waits for (on the processor
/// 1e10: 100 000 bodies that all exert forces; on a GPU 1e11: 316 000, which fill a frame), and it has a
/// kernel that need not.
bool has_too_many_pairs(const sim::Configuration& configuration, const sim::Scene& scene);

/// Chooses the approximate kernel (or family, on a GPU) where has_too_many_pairs, and "auto" where the
/// assignments ask for an accuracy, unless `assignments` choose
/// a kernel or `configuration` has another than the default of `table`. Returns a line that says what was
/// chosen and how to choose otherwise; empty: nothing changed.
std::string choose_kernel_for_many(const sim::OptionTable& table, sim::Configuration& configuration,
                                   const sim::Scene& scene, const std::vector<std::string>& assignments);

}  // namespace orrery::lab
