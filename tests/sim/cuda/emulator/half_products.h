#pragma once

#include <array>
#include <bit>

#include "tests/sim/cuda/emulator/device_language.h"

// sim/cuda/families/half_products.cuh for the processor: the same numbers in the same places of a warp.
// NOLINTBEGIN

namespace orrery::sim::cuda::emulator {

/// Whether the tree's kernels take tensor cores for near bodies (near=tensor).
inline bool near_products = false;

}  // namespace orrery::sim::cuda::emulator

namespace orrery::sim::cuda::device {

typedef unsigned int word;

inline word bits_of_half(float x) { return std::bit_cast<unsigned short>(static_cast<_Float16>(x)); }
/// By the exponent: a library's conversion takes most of a test's time.
inline float half_of(word both, unsigned place) {
  const word bits = both >> (16 * place) & 0xffffU, sign = (bits & 0x8000U) << 16;
  const word size = bits & 0x7fffU;
  const word whole = size >= 0x7c00U ? 0x7f800000U | (size & 0x3ffU) << 13
                                     : std::bit_cast<word>(std::bit_cast<float>(size << 13) * 0x1p112F);
  return std::bit_cast<float>(sign | whole);
}
inline word pack_halves(float low, float high) { return bits_of_half(low) | bits_of_half(high) << 16; }
inline float to_half(float x) { return half_of(bits_of_half(x), 0); }

/// Two words of each lane of the warp.
inline std::array<std::array<word, 2>, 32> of_warp(word low, word high) {
  const auto* all = emulator::exchange(low | static_cast<unsigned long long>(high) << 32);
  std::array<std::array<word, 2>, 32> words;
  for (unsigned k = 0; k < 32; ++k) words[k] = {static_cast<word>(all[k]), static_cast<word>(all[k] >> 32)};
  return words;
}

/// PTX ISA, fragments of mma.m16n8k16.
inline void product_of_halves(float (&d)[4], const word (&a)[4], word b0, word b1, const float (&c)[4]) {
  const auto left = of_warp(a[0], a[1]), behind = of_warp(a[2], a[3]), right = of_warp(b0, b1);
  const unsigned line = lane() / 4, part = lane() % 4;
  for (unsigned k = 0; k < 4; ++k) {
    float sum = c[k];
    for (unsigned i = 0; i < 16; ++i) {
      const auto& side = (i < 8 ? left : behind)[line * 4 + i % 8 / 2];
      sum += half_of(side[k / 2], i % 2) * half_of(right[(2 * part + k % 2) * 4 + i % 8 / 2][i / 8], i % 2);
    }
    d[k] = sum;
  }
}

}  // namespace orrery::sim::cuda::device
// NOLINTEND
