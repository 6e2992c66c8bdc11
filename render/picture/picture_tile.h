#pragma once

#include <glm/glm.hpp>
#include <vector>

namespace orrery::render {

/// A part of a picture that is drawn by itself, because all of it is too large. What is drawn for a part is
/// what the whole picture shows there.
struct PictureTile {
  glm::ivec2 corner{0, 0};  ///< its lower left pixel in the picture: multiples of tile_step
  glm::ivec2 size{0, 0};    ///< size in pixels; 0: the whole picture

  bool is_whole() const { return size.x == 0; }
  /// The number of pixels drawn of a picture of `whole` pixels.
  glm::ivec2 drawn_of(glm::ivec2 whole) const { return is_whole() ? whole : size; }
};

/// Corners of tiles are multiples of this (pixels), so that the texels of all levels of a tile are those of
/// the whole picture (LightLevels).
inline constexpr int tile_step = 256;

/// The tiles of a picture, from the top row to the bottom one, each from left to right. `edge`: largest size
/// of one (pixels), rounded down to a multiple of tile_step, which it must not be below.
std::vector<PictureTile> tiles_of(glm::ivec2 picture, glm::ivec2 edge);

/// Shows in a tile what `projection` shows there in the picture of `whole` pixels.
glm::mat4 projection_of_tile(const glm::mat4& projection, glm::ivec2 whole, const PictureTile& tile);

}  // namespace orrery::render
