#pragma once

#include <vector>

#include "app/ladder_benchmark.h"
#include "app/roofline.h"

namespace orrery::app {

/// The roofline of all rungs that were measured, of several ladders or sizes together. Throws as roofline_of.
Roofline ladder_roofline(const std::vector<LadderResult>& results);

}  // namespace orrery::app
