#pragma once

#include "sim/core/vec3.h"
#include "sim/physics/laws/force_law.h"

namespace orrery::sim::cuda::emulator {

/// The acceleration at 0 by a mass at `place`, as the device code of gravity-spline computes it, in single
/// precision. `constants` are those of its kernels.
Vec3 spline_pull(const Vec3& place, float mass, const DeviceConstants& constants);

}  // namespace orrery::sim::cuda::emulator
