#pragma once

#include <vector>

#include "lab/bench/roofline.h"
#include "lab/ladders/ladder_benchmark.h"

namespace orrery::lab {

/// The roofline of all rungs that were measured, of several ladders or sizes together. Throws as roofline_of.
Roofline ladder_roofline(const std::vector<LadderResult>& results);

}  // namespace orrery::lab
