#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/bodies/bodies.h"
#include "sim/options/configuration.h"
#include "sim/options/option.h"
#include "sim/physics/diagnostics/force_error.h"

namespace orrery::sim {

/// Trees that may replace one whose forces exceed what it states, the cheapest first: with quadrupoles, where
/// it has others; with a finer opening of its kind; with cells that are opened by their size and distance, at
/// the angle for the same error; and finer ones of both. Then every pair, where that takes less than
/// `most_times_the_sums` as many interactions.
std::vector<Configuration> safer_configurations(const OptionTable& table, const Configuration& configuration,
                                                double times);
inline constexpr double most_times_the_sums = 3.0;
/// The ratio of the interactions of all pairs to those of a tree in one evaluation (0: not known, 1).
double times_the_sums(const Bodies& bodies, double tree_sums);
/// The next of these, which leaves them; none is left: nothing.
std::optional<Configuration> take_first(std::vector<Configuration>& safer);
/// "; kernel=simd sums every pair, with 140 times the interactions"; empty where it is among those above.
std::string every_pair_advice(const OptionTable& table, const Configuration& configuration, double times);

/// "opening=geometric, theta=0.7": the options of the engine in which `changed` has another value.
std::string differences(const OptionTable& table, const Configuration& configuration,
                        const Configuration& changed);

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
