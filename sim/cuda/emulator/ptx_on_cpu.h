#pragma once

// PTX that device code has between quotation marks. The emulator turns asm("cvt.rn.f16x2.f32 ..." : "=r"(a) :
// "f"(b)) into ptx::cvt_rn_f16x2_f32(a, b): the first instruction of the text, and the operands in their order
// (device_source.cpp). Included by device_language.h. The layouts of matrices in a warp are those of NVIDIA's
// PTX ISA, sections mma.m16n8k8, mma.m16n8k16 and movmatrix.
// NOLINTBEGIN
namespace orrery::sim::cuda::device {

/// Addresses in shared memory have 32 bits: from here, since all of it is in one module.
static char shared_memory_begins;
inline long long __cvta_generic_to_shared(const void* address) {
  return static_cast<const char*>(address) - &shared_memory_begins;
}

namespace ptx {

/// Rounded to the nearest, to even between two.
inline unsigned half_of(float x) {
  const unsigned bits = std::bit_cast<unsigned>(x), sign = bits >> 16 & 0x8000U;
  const float size = std::fabs(x);
  if (!(size < 65520.0F)) return sign | (size != size ? 0x7e00U : 0x7c00U);
  // Numbers below 2^-14 have steps of 2^-24.
  if (size < 6.103515625e-5F) return sign | static_cast<unsigned>(std::nearbyint(size * 16777216.0F));
  const unsigned magnitude = bits & 0x7fffffffU;
  return sign | ((magnitude + 0xfffU + (magnitude >> 13 & 1U) - 0x38000000U) >> 13);
}
inline float float_of(unsigned half) {
  const unsigned exponent = half >> 10 & 31U, fraction = half & 0x3ffU;
  const float size = exponent == 0 ? static_cast<float>(fraction) / 16777216.0F
                     : exponent == 31
                         ? std::bit_cast<float>(0x7f800000U | fraction << 13)
                         : std::bit_cast<float>((exponent + 112U) << 23 | fraction << 13);
  return (half & 0x8000U) != 0 ? -size : size;
}

inline void trap() { ORRERY_MACHINE.trap(); }
inline void setp_le_f32(int& result, float a, float b) { result = a <= b ? 1 : 0; }
inline void rsqrt_approx_ftz_f32(float& y, float x) { y = 1.0F / std::sqrt(x); }
inline void cvt_rn_f16x2_f32(unsigned& packed, float high, float low) {
  packed = half_of(high) << 16 | half_of(low);
}
/// Both halves of a word.
inline void mov_b32(float& low, float& high, unsigned packed) {
  low = float_of(packed & 0xffffU);
  high = float_of(packed >> 16);
}
inline void cvt_rn_f16_f32(float& rounded, float x) { rounded = float_of(half_of(x)); }
/// To 10 bits after the point; halves away from 0.
inline void cvt_rna_tf32_f32(unsigned& rounded, float x) {
  rounded = (std::bit_cast<unsigned>(x) + 0x1000U) & 0xffffe000U;
}
inline void cp_async_cg_shared_global(unsigned to, const void* from) {
  std::memcpy(&shared_memory_begins + static_cast<int>(to), from, 16);
}
inline void cp_async_wait_all() {}

/// The word of every lane.
struct OfLanes {
  unsigned word[32];
  explicit OfLanes(unsigned mine) {
    const auto* all = ORRERY_MACHINE.exchange(mine);
    for (int lane = 0; lane < 32; ++lane) word[lane] = static_cast<unsigned>(all[lane]);
  }
  float half(int lane, int which) const { return float_of(word[lane] >> 16 * which & 0xffffU); }
  float tf32(int lane) const { return std::bit_cast<float>(word[lane]); }
};

/// An 8 x 8 matrix of halves, two of a row a lane.
inline void movmatrix_sync_aligned_m8n8_trans_b16(unsigned& result, unsigned matrix) {
  const OfLanes rows(matrix);
  const unsigned row = ORRERY_MACHINE.lane / 4, column = 2 * (ORRERY_MACHINE.lane % 4);
  const auto at = [&](unsigned r, unsigned c) { return rows.word[4 * r + c / 2] >> 16 * (c % 2) & 0xffffU; };
  result = at(column, row) | at(column + 1, row) << 16;
}

inline void mma_sync_aligned_m16n8k16_row_col_f32_f16_f16_f32(
    float& d0, float& d1, float& d2, float& d3, unsigned a0, unsigned a1, unsigned a2, unsigned a3,
    unsigned b0, unsigned b1, float c0, float c1, float c2, float c3) {
  const OfLanes a[4] = {OfLanes(a0), OfLanes(a1), OfLanes(a2), OfLanes(a3)}, b[2] = {OfLanes(b0), OfLanes(b1)};
  const int row = static_cast<int>(ORRERY_MACHINE.lane) / 4, column = 2 * (static_cast<int>(ORRERY_MACHINE.lane) % 4);
  double sum[4] = {c0, c1, c2, c3};
  for (int k = 0; k < 16; ++k) {
    const int lane = k % 8 / 2, which = k % 2, later = k / 8;
    for (int q = 0; q < 4; ++q)
      sum[q] += double{a[2 * later + q / 2].half(4 * row + lane, which)} *
                b[later].half(4 * (column + q % 2) + lane, which);
  }
  d0 = static_cast<float>(sum[0]), d1 = static_cast<float>(sum[1]);
  d2 = static_cast<float>(sum[2]), d3 = static_cast<float>(sum[3]);
}

inline void mma_sync_aligned_m16n8k8_row_col_f32_tf32_tf32_f32(float& d0, float& d1, float& d2, float& d3,
                                                               unsigned a0, unsigned a1, unsigned a2,
                                                               unsigned a3, unsigned b0, unsigned b1) {
  const OfLanes a[4] = {OfLanes(a0), OfLanes(a1), OfLanes(a2), OfLanes(a3)}, b[2] = {OfLanes(b0), OfLanes(b1)};
  const int row = static_cast<int>(ORRERY_MACHINE.lane) / 4, column = 2 * (static_cast<int>(ORRERY_MACHINE.lane) % 4);
  double sum[4] = {d0, d1, d2, d3};
  for (int k = 0; k < 8; ++k) {
    const int lane = k % 4, later = k / 4;
    for (int q = 0; q < 4; ++q)
      sum[q] += double{a[2 * later + q / 2].tf32(4 * row + lane)} * b[later].tf32(4 * (column + q % 2) + lane);
  }
  d0 = static_cast<float>(sum[0]), d1 = static_cast<float>(sum[1]);
  d2 = static_cast<float>(sum[2]), d3 = static_cast<float>(sum[3]);
}

}  // namespace ptx
}  // namespace orrery::sim::cuda::device
// NOLINTEND
