#pragma once

#include <optional>

#include "sim/options/configuration.h"

namespace orrery::lab {

/// Lets a configuration move two bodies of unequal masses a quarter of a circle about each other, in 50
/// steps: the largest distance of a body from where it should be, relative to theirs. No other run is
/// compared with: the softened two-body problem has that solution, omega^2 = G (m1 + m2) / (d^2 +
/// eps^2)^(3/2). Infinite for what is no number; none if the configuration cannot run two bodies or is not of
/// gravity. Throws what the engine throws.
std::optional<double> circle_error(const sim::OptionTable& table, const sim::Configuration& configuration);

}  // namespace orrery::lab
