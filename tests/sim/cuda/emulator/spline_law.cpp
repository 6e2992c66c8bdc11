#include "tests/sim/cuda/emulator/spline_law.h"

#include "sim/cuda/emulator/device_language.h"

#define CONSTANT_COUNT 3
#include "tests/sim/cuda/emulator/kernel_settings.h"

namespace orrery::sim::cuda::device::spline {
#include "sim/cuda/device/shared.h"
//
#include "sim/cuda/device/common.cuh"
//
#include "sim/cuda/laws/gravity_spline.cuh"
}  // namespace orrery::sim::cuda::device::spline

namespace orrery::sim::cuda::emulator {

Vec3 spline_pull(const Vec3& place, float mass, const DeviceConstants& constants) {
  namespace code = device::spline;
  const code::Constants values{static_cast<float>(constants.value[0]), static_cast<float>(constants.value[1]),
                               static_cast<float>(constants.value[2])};
  code::real3 sum{0, 0, 0};
  code::interact(sum, device::make_float4(0, 0, 0, 0), device::make_float4(place.x, place.y, place.z, mass),
                 values);
  return code::strength(values) * Vec3{sum.x, sum.y, sum.z};
}

}  // namespace orrery::sim::cuda::emulator
