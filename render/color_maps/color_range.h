#pragma once

#include <span>
#include <utility>

namespace orrery::render {

/// The values below which the fractions `low` and `high` (0..1) of the finite values lie: the automatic range
/// of a colour bar, which a few extreme bodies must not decide. Linear interpolation between order
/// statistics. Without finite values: (0, 1).
std::pair<float, float> percentile_range(std::span<const float> values, double low = 0.02,
                                         double high = 0.98);

}  // namespace orrery::render
