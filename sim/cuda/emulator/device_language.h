#pragma once

#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <type_traits>
#include <utility>

#include "sim/cuda/emulator/device_on_cpu.h"

// What device code finds in CUDA's language, for kernels that run on the CPU. Included in front of the
// kernels' files, in one source file.
// NOLINTBEGIN

#define __CUDACC_RTC__ 1
#ifdef ORRERY_EMULATED
#define __device__  // all of it is in a namespace without a name
#else
#define __device__ static
#endif
#define __constant__ static
#define __global__
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))
#define __shared__ static
#define __launch_bounds__(...)
#define __align__(bytes) __attribute__((aligned(bytes)))
#ifdef ORRERY_EMULATED
namespace orrery::sim::cuda::emulator {
static Machine* connected = nullptr;  // by the program that loads the compiled code
}
#define ORRERY_MACHINE (*::orrery::sim::cuda::emulator::connected)
#else
#define ORRERY_MACHINE ::orrery::sim::cuda::emulator::machine
#endif
#define threadIdx ORRERY_MACHINE.thread
#define blockIdx ORRERY_MACHINE.block
#define blockDim ORRERY_MACHINE.block_size
#define gridDim ORRERY_MACHINE.grid_size

namespace orrery::sim::cuda::device {

/// CUDA's vectors, and how they are made.
struct alignas(8) float2 {
  float x, y;
};
struct float3 {
  float x, y, z;
};
struct alignas(16) double2 {
  double x, y;
};
struct double3 {
  double x, y, z;
};
struct alignas(16) double4 {
  double x, y, z, w;
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
inline double2 make_double2(double x, double y) { return {x, y}; }
inline double3 make_double3(double x, double y, double z) { return {x, y, z}; }
inline double4 make_double4(double x, double y, double z, double w) { return {x, y, z, w}; }
inline uint2 make_uint2(unsigned x, unsigned y) { return {x, y}; }
inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }

/// Functions of numbers, of either precision. Approximate ones are exact here.
using std::abs, std::cos, std::exp, std::fabs, std::fma, std::fmax, std::fmin, std::log, std::log1p, std::pow,
    std::sin, std::sqrt;
using std::printf;
inline float fmaxf(float a, float b) { return std::fmax(a, b); }
inline float fminf(float a, float b) { return std::fmin(a, b); }
inline float fabsf(float x) { return std::fabs(x); }
inline float fmaf(float a, float b, float c) { return std::fma(a, b, c); }
inline float copysignf(float x, float sign) { return std::copysign(x, sign); }
inline float exp2f(float x) { return std::exp2(x); }
inline float expf(float x) { return std::exp(x); }
inline float log2f(float x) { return std::log2(x); }
inline float logf(float x) { return std::log(x); }
inline float sinf(float x) { return std::sin(x); }
inline float cosf(float x) { return std::cos(x); }
inline float floorf(float x) { return std::floor(x); }
inline float sqrtf(float x) { return std::sqrt(x); }
inline float rsqrtf(float x) { return 1.0F / std::sqrt(x); }
inline double rsqrt(double x) { return 1.0 / std::sqrt(x); }
inline float __frsqrt_rn(float x) { return static_cast<float>(1.0 / std::sqrt(double{x})); }
inline float __powf(float x, float y) { return std::pow(x, y); }
inline float __fmul_rn(float a, float b) { return a * b; }
inline float __fsub_rn(float a, float b) { return a - b; }
inline double __dadd_rn(double a, double b) { return a + b; }
inline double __dmul_rn(double a, double b) { return a * b; }
inline float __double2float_rn(double x) { return static_cast<float>(x); }
inline long long __float2ll_rn(float x) { return std::llrint(x); }
inline unsigned long long __float2ull_rn(float x) { return static_cast<unsigned long long>(std::llrint(x)); }
inline int __float2int_rn(float x) { return static_cast<int>(std::lrint(x)); }
inline float __ll2float_rn(long long x) { return static_cast<float>(x); }
inline float __int2float_rn(int x) { return static_cast<float>(x); }
inline float __uint2float_rn(unsigned x) { return static_cast<float>(x); }
inline int min(int a, int b) { return a < b ? a : b; }
inline int max(int a, int b) { return a > b ? a : b; }
inline unsigned min(unsigned a, unsigned b) { return a < b ? a : b; }
inline unsigned max(unsigned a, unsigned b) { return a > b ? a : b; }
inline unsigned long long min(unsigned long long a, unsigned long long b) { return a < b ? a : b; }

/// Functions of bits.
inline int __popc(unsigned bits) { return std::popcount(bits); }
inline int __ffs(unsigned bits) { return bits == 0 ? 0 : std::countr_zero(bits) + 1; }
inline int __clz(unsigned bits) { return std::countl_zero(bits); }
inline int __clzll(unsigned long long bits) { return std::countl_zero(bits); }
inline unsigned __float_as_uint(float x) { return std::bit_cast<unsigned>(x); }
inline float __uint_as_float(unsigned bits) { return std::bit_cast<float>(bits); }
inline int __float_as_int(float x) { return std::bit_cast<int>(x); }
inline float __int_as_float(int bits) { return std::bit_cast<float>(bits); }
template <typename T>
T __ldg(const T* address) {
  return *address;
}
template <typename T>
T __ldcg(const T* address) {
  return *address;
}

/// Atomic functions: one thread works at a time.
template <typename T>
T atomicAdd(T* address, std::type_identity_t<T> value) {
  return std::exchange(*address, *address + value);
}
inline unsigned atomicOr(unsigned* address, unsigned value) {
  return std::exchange(*address, *address | value);
}
inline unsigned atomicMax(unsigned* address, unsigned value) {
  return std::exchange(*address, max(*address, value));
}
inline unsigned atomicMin(unsigned* address, unsigned value) {
  return std::exchange(*address, min(*address, value));
}
template <typename T>
T atomicExch(T* address, std::type_identity_t<T> value) {
  return std::exchange(*address, value);
}
template <typename T>
T atomicCAS(T* address, std::type_identity_t<T> expected, std::type_identity_t<T> value) {
  return std::exchange(*address, *address == expected ? value : *address);
}

/// What threads of a block or lanes of a warp do together. All lanes take part, whatever the mask says.
inline void __syncthreads() { ORRERY_MACHINE.wait_for_block(); }
inline void __syncwarp() { ORRERY_MACHINE.wait_for_warp(); }
inline void __threadfence_block() {}
inline void __threadfence() {}
template <typename T>
T shuffled(T value, unsigned from) {
  unsigned long long bits = 0, of_other = 0;
  std::memcpy(&bits, &value, sizeof value);
  of_other = ORRERY_MACHINE.exchange(bits)[from];
  std::memcpy(&value, &of_other, sizeof value);
  return value;
}
template <typename T>
T __shfl_sync(unsigned, T value, unsigned from) {
  return shuffled(value, from % 32);
}
template <typename T>
T __shfl_xor_sync(unsigned, T value, unsigned with) {
  return shuffled(value, ORRERY_MACHINE.lane ^ with);
}
template <typename T>
T __shfl_up_sync(unsigned, T value, unsigned by, unsigned width = 32) {
  return shuffled(value, ORRERY_MACHINE.lane % width >= by ? ORRERY_MACHINE.lane - by : ORRERY_MACHINE.lane);
}
template <typename T>
T __shfl_down_sync(unsigned, T value, unsigned by, unsigned width = 32) {
  return shuffled(value,
                  ORRERY_MACHINE.lane % width + by < width ? ORRERY_MACHINE.lane + by : ORRERY_MACHINE.lane);
}
inline unsigned __ballot_sync(unsigned, bool vote) {
  const auto* votes = ORRERY_MACHINE.exchange(vote ? 1 : 0);
  unsigned ballot = 0;
  for (unsigned k = 0; k < 32; ++k) ballot |= static_cast<unsigned>(votes[k]) << k;
  return ballot;
}
inline int __any_sync(unsigned lanes, bool vote) { return __ballot_sync(lanes, vote) != 0; }
inline int __syncthreads_and(int vote) {
  static unsigned others;
  __syncthreads();
  others = 0;
  __syncthreads();
  others += vote == 0 ? 1 : 0;
  __syncthreads();
  return others == 0;
}
inline unsigned __match_any_sync(unsigned, unsigned value) {
  const auto* values = ORRERY_MACHINE.exchange(value);
  unsigned same = 0;
  for (unsigned k = 0; k < 32; ++k) same |= (values[k] == value ? 1U : 0U) << k;
  return same;
}

}  // namespace orrery::sim::cuda::device
#ifdef ORRERY_EMULATED
#include "sim/cuda/emulator/ptx_on_cpu.h"
#endif
// NOLINTEND
