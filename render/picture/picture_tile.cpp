#include "render/picture/picture_tile.h"

#include <glm/gtc/matrix_transform.hpp>

namespace orrery::render {

std::vector<PictureTile> tiles_of(glm::ivec2 picture, glm::ivec2 edge) {
  const glm::ivec2 step = edge / tile_step * tile_step;
  std::vector<PictureTile> tiles;
  for (int y = (picture.y - 1) / step.y * step.y; y >= 0; y -= step.y)
    for (int x = 0; x < picture.x; x += step.x)
      tiles.push_back({{x, y}, glm::min(step, picture - glm::ivec2(x, y))});
  return tiles;
}

glm::mat4 projection_of_tile(const glm::mat4& projection, glm::ivec2 whole, const PictureTile& tile) {
  if (tile.is_whole()) return projection;
  const glm::dvec2 size(tile.size);
  const glm::dvec2 scale = glm::dvec2(whole) / size;
  const glm::dvec2 shift = (glm::dvec2(whole) - 2.0 * glm::dvec2(tile.corner)) / size - 1.0;
  const auto moved = glm::translate(glm::dmat4(1.0), glm::dvec3(shift, 0.0));
  const auto part = glm::scale(moved, glm::dvec3(scale, 1.0));
  return glm::mat4(part * glm::dmat4(projection));
}

}  // namespace orrery::render
