#pragma once

#include <cstdint>

namespace orrery::render {

/// A number for each number, as if drawn by lot: always the same (PCG, O'Neill 2014). As in
/// shaders/body.glsl.
inline std::uint32_t lot(std::uint32_t number) {
  const std::uint32_t state = number * 747796405U + 2891336453U;
  const std::uint32_t word = ((state >> ((state >> 28U) + 4U)) ^ state) * 277803737U;
  return (word >> 22U) ^ word;
}

/// A drawn word as a number between 0 and 1, never 0 or 1.
inline float part_of_lot(std::uint32_t drawn) {
  return (static_cast<float>(drawn >> 8U) + 0.5F) / 16777216.0F;
}

}  // namespace orrery::render
