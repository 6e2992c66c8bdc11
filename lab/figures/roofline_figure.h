#pragma once

#include "lab/bench/roofline.h"
#include "lab/plots/figure.h"

namespace orrery::lab {

/// Rate over slots, both logarithmic: the falling line of the issue limit, the level line of one special
/// function an interaction, a mark where `reference_slots` meet the issue limit, a point with its name and
/// its share of the nearer limit for each kernel, a dash where its own number of special functions sets its
/// limit. Needs a point and an instruction rate.
plots::Figure roofline_figure(const Roofline& roofline);

}  // namespace orrery::lab
