#include "tests/sim/cuda/emulator/spline_law.h"

#include "tests/sim/cuda/emulator/device_language.h"

#pragma GCC diagnostic ignored "-Wunknown-pragmas"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wignored-qualifiers"

// As sim/cuda/compiler/kernel_source.cpp sets them: float4 layout, single precision.
#define PRECISION 32
#define DIMENSIONS 3
#define CHARGES 0
#define CONSTANT_COUNT 3
#define GUARD 1
#define BATCHED 0
#define UNROLL 1
#define LAYOUT_AOS 0
#define LAYOUT_AOS_MASS 1
#define LAYOUT_SPLIT 2
#define LAYOUT_FLOAT4 3
#define LAYOUT_SOA 4
#define LAYOUT LAYOUT_FLOAT4
#define PASSING_VALUE 0
#define PASSING_POINTER 2
#define PASSING PASSING_VALUE
#define CONSTANT_MEMORY 0
#define CONSTANT_MEMORY_CONSTANT_MEMORY_ALL 2
#define READ_ONLY 0
#define ARITHMETIC_SQRT 0
#define ARITHMETIC_RSQRT_OF_CUBE 1
#define ARITHMETIC_RSQRT_CUBED 2
#define ARITHMETIC_FRSQRT_RN 3
#define ARITHMETIC ARITHMETIC_RSQRT_CUBED

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
