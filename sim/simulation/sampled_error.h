#pragma once

#include <cstddef>

#include "sim/physics/diagnostics/force_error.h"

namespace orrery::sim {

/// The number that the accuracy `wanted` is compared with: the median error of a sample, or its 99th
/// percentile over accurate_p99 where that is more. Where the errors that are stated for this
/// accuracy do not hold, for all bodies or for a stratum, it is at least half as much again as what is
/// wanted. The sums in double precision are made on all cores; the result does not depend on their number.
double error_for_accuracy(const ForceSample& sample, double wanted);

}  // namespace orrery::sim
