#pragma once

#include "sim/diagnostics/centered_state.h"

namespace orrery::sim {

/// A2 = |sum m exp(2 i phi)| / sum m over the profile's bodies nearer to the axis than `radius`: 0 for what
/// is round, near 1 for a thin bar (E. Athanassoula, R. Machado and S. Rodionov 2013, MNRAS 429, 1949, 4.1).
/// n bodies by lot in a round disk give about 1 / sqrt(n). 0 where there are none.
double bar_strength(const CenteredState& state, double radius);

}  // namespace orrery::sim
