#pragma once

#include <vector>

#include "lab/verify/physics_checks.h"

namespace orrery::lab {

/// Adds the check of the planets against a published ephemeris.
void add_solar_system_check(std::vector<PhysicsCheck>& checks);

}  // namespace orrery::lab
