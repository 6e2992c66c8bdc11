#pragma once

#include <cstddef>

#include "sim/physics/force_error.h"

namespace orrery::sim {

/// How many bodies are sampled of so many: 256, fewer where double precision would take seconds.
std::size_t sampled_for_accuracy(std::size_t bodies);

/// The number that an accuracy is held to: the median error of a sample, or its 99th percentile over
/// relative_law.stated_p99 where that is more. Summed on all processors; the same bits for any number of
/// them.
double error_for_accuracy(const ForceSample& sample);

}  // namespace orrery::sim
