#pragma once

#include "lab/plots/palette.h"
#include "sim/engines/timeline.h"

namespace orrery::lab {

/// The colour of an activity in all figures: of copies blue and purple, of forces orange, of updates green.
plots::Color activity_color(sim::TimelineKind activity);

}  // namespace orrery::lab
