#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/options/configuration.h"
#include "sim/options/option.h"
#include "sim/physics/diagnostics/force_error.h"

namespace orrery::sim {

/// The kernel or family that stands for "whichever is faster".
inline constexpr std::string_view automatic_kernel = "auto";

/// The choices of an option, without the one that only stands for another of them.
std::vector<std::string> own_choices(const Option& option);
/// True if this choice of the option `kernel` or `family` sums by a tree; of names that nothing has: false.
bool is_approximate(std::string_view option, std::string_view choice);
/// True if the engine that a configuration chooses sums by a tree.
bool uses_tree(const Configuration& configuration);
/// True if only sizes and distances say which cells are far (opening=geometric). Where pulls cancel, the
/// relative error of such a rule is larger.
bool opens_by_geometry(const Configuration& configuration);
/// The relative errors of the forces that a configuration states (sim/options/tree_options.h); 0 where every
/// pair is summed.
StatedError stated_error(const Configuration& configuration);

}  // namespace orrery::sim
