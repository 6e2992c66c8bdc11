#pragma once

#include <cstddef>
#include <string>

#include "sim/bodies/bodies.h"

namespace orrery::sim {

/// "the velocity of body 17", where a number of body `i` (counted from 0) is not finite; else empty. In the
/// text bodies count from 1. Masses and charges may be left out of `bodies`.
std::string not_finite(const Bodies& bodies, std::size_t i);
/// The text of not_finite for the first body that has such a number; empty if none has.
std::string first_not_finite(const Bodies& bodies);

}  // namespace orrery::sim
