#pragma once

#include "sim/physics/diagnostics/force_error.h"

namespace orrery::sim::checks {

/// The largest error of the sampled forces, each relative to the sum of the magnitudes of the pulls on its
/// body: where pulls cancel, this is the relative error of the pairs. Infinite where a force is not finite.
/// Gravity.
double largest_error_of_pulls(const ForceSample& sample);

}  // namespace orrery::sim::checks
