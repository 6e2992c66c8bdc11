#pragma once

#include <algorithm>

/// tree_rule.cuh for numbers in single precision.
namespace orrery::sim::tree_rule {

/// What tree_rule.cuh asks of its numbers.
inline float multiply_add(float a, float b, float c) { return a * b + c; }
inline float multiply_subtract(float a, float b, float c) { return a * b - c; }
inline float larger(float a, float b) { return std::max(a, b); }
inline float smaller(float a, float b) { return std::min(a, b); }
inline float above_zero(float x) { return std::max(x, 0.0F); }
inline bool is_above(float a, float b) { return a > b; }
inline bool both(bool a, bool b) { return a && b; }
inline float filled(float x, float) { return x; }

#define HOST_DEVICE inline
#include "sim/tree/shared/tree_rule.cuh"
#undef HOST_DEVICE

}  // namespace orrery::sim::tree_rule
