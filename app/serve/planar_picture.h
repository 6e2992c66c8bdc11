#pragma once

#include <cstddef>
#include <cstdint>
#include <glm/glm.hpp>
#include <span>

namespace orrery::app::serve {

/// A picture in memory: RGBA, 8 bits each, bottom row first, as OpenGL reads it.
struct RawPicture {
  glm::ivec2 size{0};
  std::span<const std::byte> rgba;
};

/// Memory for the rows of a picture in Y'CbCr with half the colour resolution (I420).
struct PlanarRows {
  std::uint8_t* luma;
  std::uint8_t* blue;
  std::uint8_t* red;
  std::ptrdiff_t luma_stride;
  std::ptrdiff_t color_stride;
};

/// Converts by ITU-R BT.709 in the limited range, top row first. Odd sizes: the last column and row count
/// twice for colour.
void to_planar(const RawPicture& picture, const PlanarRows& rows);

}  // namespace orrery::app::serve
