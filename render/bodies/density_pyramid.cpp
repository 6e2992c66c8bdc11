#include "render/bodies/density_pyramid.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "render/bodies/screen_density.h"
#include "render/context/shader_constants.h"

namespace orrery::render {
namespace {

constexpr std::size_t cells_in_row = shared::crowd_cells;

std::size_t cells_at(std::size_t level) { return cells_in_row >> level; }

}  // namespace

void DensityPyramid::begin(glm::ivec2 picture, float neighbours) {
  means_.resize(shared::crowd_levels);
  means_.front().assign(cells_in_row * cells_in_row, 0.0F);
  middle_ = 0.5F * glm::vec2(picture);
  scale_ = crowding_scale(picture, neighbours, 1);
}

void DensityPyramid::add(glm::vec2 place) {
  const glm::vec2 cell = glm::floor(((place - middle_) * scale_.x + 0.5F) * static_cast<float>(cells_in_row));
  const auto inside = [](float at) { return at >= 0.0F && at < static_cast<float>(cells_in_row); };
  if (inside(cell.x) && inside(cell.y))
    means_.front()[static_cast<std::size_t>(cell.y) * cells_in_row + static_cast<std::size_t>(cell.x)] +=
        1.0F;
}

void DensityPyramid::finish() {
  for (std::size_t level = 1; level < means_.size(); ++level) {
    const auto& finer = means_[level - 1];
    const std::size_t size = cells_at(level);
    means_[level].resize(size * size);
    for (std::size_t y = 0; y < size; ++y) {
      const float* const below = finer.data() + 4 * y * size;
      const float* const above = below + 2 * size;
      for (std::size_t x = 0; x < size; ++x)
        means_[level][y * size + x] =
            0.25F * (below[2 * x] + below[2 * x + 1] + above[2 * x] + above[2 * x + 1]);
    }
  }
}

/// Between the middles of cells, as a texture is read.
float DensityPyramid::mean(std::size_t level, glm::vec2 at) const {
  const auto size = static_cast<float>(cells_at(level));
  const glm::vec2 texel = glm::clamp(at * size - 0.5F, 0.0F, size - 1.0F);
  const glm::vec2 first = glm::floor(texel);
  const glm::vec2 part = texel - first;
  const std::size_t row = cells_at(level);
  const auto x = static_cast<std::size_t>(first.x), y = static_cast<std::size_t>(first.y);
  const std::size_t right = std::min(x + 1, row - 1), above = std::min(y + 1, row - 1);
  const auto& cells = means_[level];
  return glm::mix(glm::mix(cells[y * row + x], cells[y * row + right], part.x),
                  glm::mix(cells[above * row + x], cells[above * row + right], part.x), part.y);
}

/// As in shaders/body.glsl.
float DensityPyramid::width_of_crowd(glm::vec2 at) const {
  float cells = 1.0F;
  float fewer = 0.25F;
  for (std::size_t level = 0; level < means_.size(); ++level) {
    const float found = mean(level, at) * cells * cells;
    if (found >= scale_.y) {
      if (level == 0) return std::sqrt(scale_.y / found);
      return cells * std::exp2(-std::log(found / scale_.y) / std::log(found / fewer));
    }
    fewer = std::max(fewer, found);
    cells *= 2.0F;
  }
  return cells;
}

float DensityPyramid::half_width(glm::vec2 place) const {
  return width_of_crowd((place - middle_) * scale_.x + 0.5F) * scale_.z;
}

}  // namespace orrery::render
