#pragma once

#include <string_view>

#include "sim/options/configuration.h"

namespace orrery::sim {

/// The kernel or family that stands for "whichever is faster".
inline constexpr std::string_view automatic_kernel = "auto";

/// True if the engine that a configuration chooses sums by a tree.
bool uses_tree(const Configuration& configuration);
/// The median relative error of the forces that a configuration promises (sim/options/tree_options.h); 0
/// where every pair is summed.
double stated_error(const Configuration& configuration);

}  // namespace orrery::sim
