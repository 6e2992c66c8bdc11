#pragma once

#include <vector>

#include "lab/verify/physics_checks.h"

namespace orrery::lab {

/// Adds the checks of many bodies: a Plummer sphere in equilibrium, a cold collapse, a disk.
void add_many_body_checks(std::vector<PhysicsCheck>& checks);

}  // namespace orrery::lab
