#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/bodies/bodies.h"
#include "sim/options/configuration.h"

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

}  // namespace orrery::sim
