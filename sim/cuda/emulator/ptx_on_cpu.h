#pragma once

#include <bit>
#include <cmath>
#include <cstring>

// PTX that device code has between quotation marks. The emulator turns asm("cvt.rn.f16x2.f32 ..." : "=r"(a) :
// "f"(b)) into ptx::cvt_rn_f16x2_f32(a, b): the first instruction of the text, and the operands in their
// order (device_source.cpp). Included by device_language.h. The layouts of matrices in a warp are those of
// NVIDIA's PTX ISA, sections mma.m16n8k8, mma.m16n8k16 and movmatrix. NOLINTBEGIN
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
  const float size = exponent == 0    ? static_cast<float>(fraction) / 16777216.0F
                     : exponent == 31 ? std::bit_cast<float>(0x7f800000U | fraction << 13)
                                      : std::bit_cast<float>((exponent + 112U) << 23 | fraction << 13);
  return (half & 0x8000U) != 0 ? -size : size;
}

/// Instructions by their names.
inline void trap() { ORRERY_MACHINE.trap(); }
inline void setp_le_f32(int& result, float a, float b) { result = a <= b ? 1 : 0; }
inline void rsqrt_approx_ftz_f32(float& y, float x) { y = 1.0F / std::sqrt(x); }
inline void cvt_rn_f16x2_f32(unsigned& packed, float high, float low) {
  packed = half_of(high) << 16 | half_of(low);
}
/// Unpacks both halves of a word.
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

/// An 8 x 8 matrix of halves, two of a row a lane.
inline void movmatrix_sync_aligned_m8n8_trans_b16(unsigned& result, unsigned matrix) {
  const auto* rows = ORRERY_MACHINE.exchange(matrix);
  const unsigned row = ORRERY_MACHINE.lane / 4, column = 2 * (ORRERY_MACHINE.lane % 4);
  const auto at = [&](unsigned r, unsigned c) {
    return static_cast<unsigned>(rows[4 * r + c / 2]) >> 16 * (c % 2) & 0xffffU;
  };
  result = at(column, row) | at(column + 1, row) << 16;
}

/// What a lane has of the factors of a product, each an array along the summed dimension: of the left one
/// rows lane / 4 and lane / 4 + 8, of the right one column lane / 4.
struct Factors {
  float left[2][4], right[4];
};
/// The factors of the 32 lanes, once all have stated theirs. Valid until the next product but one.
inline const Factors* all_factors(const Factors& mine) {
  static Factors of_warps[2][32][32];
  static unsigned char turns[32][32];
  const unsigned warp = ORRERY_MACHINE.warp, lane = ORRERY_MACHINE.lane;
  const unsigned turn = turns[warp][lane]++ % 2;
  of_warps[turn][warp][lane] = mine;
  ORRERY_MACHINE.wait_for_warp();
  return of_warps[turn][warp];
}

/// Each lane adds four sums: of rows lane / 4 and that + 8 with columns 2 (lane % 4) and that + 1. A lane has
/// `each` neighbouring numbers of a row, then as many again four lanes further.
inline void add_product(float (&d)[4], const Factors& mine, int each) {
  const Factors* lanes = all_factors(mine);
  const unsigned row = ORRERY_MACHINE.lane / 4, column = 2 * (ORRERY_MACHINE.lane % 4);
  double sum[4] = {d[0], d[1], d[2], d[3]};
  for (unsigned part = 0; part < 4; ++part) {
    for (int k = 0; k < 2 * each; ++k) {
      for (unsigned q = 0; q < 4; ++q)
        sum[q] += double{lanes[4 * row + part].left[q / 2][k]} * lanes[4 * (column + q % 2) + part].right[k];
    }
  }
  for (int q = 0; q < 4; ++q) d[q] = static_cast<float>(sum[q]);
}

/// Products of matrices: d = a b + c.
inline void mma_sync_aligned_m16n8k16_row_col_f32_f16_f16_f32(float& d0, float& d1, float& d2, float& d3,
                                                              unsigned a0, unsigned a1, unsigned a2,
                                                              unsigned a3, unsigned b0, unsigned b1, float c0,
                                                              float c1, float c2, float c3) {
  const auto unpack = [](float* to, unsigned first, unsigned second) {
    to[0] = float_of(first & 0xffffU), to[1] = float_of(first >> 16);
    to[2] = float_of(second & 0xffffU), to[3] = float_of(second >> 16);
  };
  Factors mine;
  unpack(mine.left[0], a0, a2);
  unpack(mine.left[1], a1, a3);
  unpack(mine.right, b0, b1);
  float d[4] = {c0, c1, c2, c3};
  add_product(d, mine, 2);
  d0 = d[0], d1 = d[1], d2 = d[2], d3 = d[3];
}
inline void mma_sync_aligned_m16n8k8_row_col_f32_tf32_tf32_f32(float& d0, float& d1, float& d2, float& d3,
                                                               unsigned a0, unsigned a1, unsigned a2,
                                                               unsigned a3, unsigned b0, unsigned b1) {
  // Bits that TF32 has no room for are cut off.
  const auto number = [](unsigned bits) { return std::bit_cast<float>(bits & 0xffffe000U); };
  const Factors mine{{{number(a0), number(a2)}, {number(a1), number(a3)}}, {number(b0), number(b1)}};
  float d[4] = {d0, d1, d2, d3};
  add_product(d, mine, 1);
  d0 = d[0], d1 = d[1], d2 = d[2], d3 = d[3];
}

}  // namespace ptx
}  // namespace orrery::sim::cuda::device
// NOLINTEND
