#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "tests/sim/cuda/emulator/device_on_cpu.h"

// What device code finds in CUDA's language, for kernels that run on the processor. Included in front of the
// kernels' files, in one source file of a test.
// NOLINTBEGIN

#define __CUDACC_RTC__ 1
#define __device__ static
#define __global__
#define __forceinline__ inline
#define __shared__ static
#define __launch_bounds__(...)
#define threadIdx ::orrery::sim::cuda::emulator::thread_index
#define blockIdx ::orrery::sim::cuda::emulator::block_index
#define blockDim ::orrery::sim::cuda::emulator::block_size
#define gridDim ::orrery::sim::cuda::emulator::grid_size

namespace orrery::sim::cuda::device {

struct float2 {
  float x, y;
};
struct float3 {
  float x, y, z;
};
struct double3 {
  double x, y, z;
};
struct alignas(8) uint2 {
  unsigned x, y;
};
struct alignas(16) float4 {
  float x, y, z, w;
};
struct alignas(16) uint4 {
  unsigned x, y, z, w;
};
inline float2 make_float2(float x, float y) { return {x, y}; }
inline float3 make_float3(float x, float y, float z) { return {x, y, z}; }
inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
inline uint2 make_uint2(unsigned x, unsigned y) { return {x, y}; }
inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }

// Of either precision.
using std::log1p;
using std::sqrt;
inline float fmaxf(float a, float b) { return std::fmax(a, b); }
inline float fminf(float a, float b) { return std::fmin(a, b); }
inline float fabsf(float x) { return std::fabs(x); }
inline float copysignf(float x, float sign) { return std::copysign(x, sign); }
inline float exp2f(float x) { return std::exp2(x); }
inline float log2f(float x) { return std::log2(x); }
inline float sqrtf(float x) { return std::sqrt(x); }
inline float rsqrtf(float x) { return 1.0F / std::sqrt(x); }
inline double __dadd_rn(double a, double b) { return a + b; }
inline double __dmul_rn(double a, double b) { return a * b; }
inline float __double2float_rn(double x) { return static_cast<float>(x); }
inline unsigned min(unsigned a, unsigned b) { return a < b ? a : b; }
inline unsigned max(unsigned a, unsigned b) { return a > b ? a : b; }
inline unsigned long long min(unsigned long long a, unsigned long long b) { return a < b ? a : b; }

inline int __popc(unsigned bits) { return std::popcount(bits); }
inline int __ffs(unsigned bits) { return bits == 0 ? 0 : std::countr_zero(bits) + 1; }
inline int __clz(unsigned bits) { return std::countl_zero(bits); }
inline int __clzll(unsigned long long bits) { return std::countl_zero(bits); }
inline unsigned __float_as_uint(float x) { return std::bit_cast<unsigned>(x); }
inline float __uint_as_float(unsigned bits) { return std::bit_cast<float>(bits); }
template <typename T>
T __ldg(const T* address) {
  return *address;
}

template <typename T>
T atomicAdd(T* address, T value) {
  const T before = *address;
  *address += value;
  return before;
}

inline unsigned atomicOr(unsigned* address, unsigned value) {
  const unsigned before = *address;
  *address |= value;
  return before;
}

inline unsigned atomicMax(unsigned* address, unsigned value) {
  const unsigned before = *address;
  *address = std::max(before, value);
  return before;
}

template <typename T>
T atomicCAS(T* address, T expected, T value) {
  const T before = *address;
  if (before == expected) *address = value;
  return before;
}

inline void __syncthreads() { emulator::wait_for_block(); }
inline void __syncwarp() { emulator::wait_for_warp(); }
inline void __threadfence_block() {}
inline void __threadfence() {}

inline unsigned lane() { return threadIdx.x % 32; }
template <typename T>
T shuffled(T value, unsigned from) {
  unsigned long long bits = 0, of_other = 0;
  std::memcpy(&bits, &value, sizeof value);
  of_other = emulator::exchange(bits)[from];
  std::memcpy(&value, &of_other, sizeof value);
  return value;
}
template <typename T>
T __shfl_sync(unsigned, T value, unsigned from) {
  return shuffled(value, from % 32);
}
template <typename T>
T __shfl_xor_sync(unsigned, T value, unsigned with) {
  return shuffled(value, lane() ^ with);
}
template <typename T>
T __shfl_up_sync(unsigned, T value, unsigned by, unsigned width = 32) {
  return shuffled(value, lane() % width >= by ? lane() - by : lane());
}
inline unsigned __ballot_sync(unsigned, bool vote) {
  const auto* votes = emulator::exchange(vote ? 1 : 0);
  unsigned ballot = 0;
  for (unsigned k = 0; k < 32; ++k) ballot |= static_cast<unsigned>(votes[k]) << k;
  return ballot;
}
inline unsigned __match_any_sync(unsigned, unsigned value) {
  const auto* values = emulator::exchange(value);
  unsigned same = 0;
  for (unsigned k = 0; k < 32; ++k) same |= (values[k] == value ? 1U : 0U) << k;
  return same;
}

}  // namespace orrery::sim::cuda::device
// NOLINTEND
