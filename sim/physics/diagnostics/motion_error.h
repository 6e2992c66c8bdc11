#pragma once

#include <vector>

#include "sim/core/vec3.h"

namespace orrery::sim {

/// Two states of the same bodies, one step apart.
struct StepPair {
  std::vector<Vec3> position_before, velocity_before;
  std::vector<Vec3> position_after, velocity_after;
  double time_step = 0.0;

  bool empty() const { return position_before.empty(); }
};

/// Tests if bodies move as their velocities say: the median of |dx - dt v| / |dt v|, where v is the velocity
/// before the step, after it, or their mean, whichever fits best, because integrators differ in that. For a
/// step that resolves the orbits it is a few percent at most; infinite if a state is not finite. The possible
/// rounding of the positions is subtracted.
double motion_error(const StepPair& pair);

}  // namespace orrery::sim
