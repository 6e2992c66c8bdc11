#pragma once

#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <span>
#include <string>

#include "sim/core/hash.h"
#include "sim/core/vec3.h"

namespace orrery::sim::checks {

/// The 24 upper bits of a mixed counter (splitmix64), as a float in -1..1: no rounding, no library, so that
/// every machine begins with the same bits.
inline float exact_number(std::uint64_t k) {
  std::uint64_t z = (k + 1) * 0x9e3779b97f4a7c15U;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
  z ^= z >> 31U;
  return static_cast<float>(z >> 40U) * 0x1p-23F - 1.0F;
}
inline Vec3 exact_vector(std::uint64_t k) {
  return {exact_number(3 * k), exact_number(3 * k + 1), exact_number(3 * k + 2)};
}

/// Adds the bits of vectors to a hash.
inline void add_bits(std::span<const Vec3> vectors, Fnv1a<std::uint64_t>& hash) {
  for (const auto& vector : vectors) {
    for (const float value : {vector.x, vector.y, vector.z})
      hash.add_word(std::bit_cast<std::uint32_t>(value));
  }
}
inline std::string text_of(const Fnv1a<std::uint64_t>& hash) { return fmt::format("{:016x}", hash.value()); }

}  // namespace orrery::sim::checks
