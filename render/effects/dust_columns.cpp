#include "render/effects/dust_columns.h"

#include <algorithm>
#include <cmath>

#include "render/context/shader_constants.h"

namespace orrery::render {

void DustColumns::begin(const Grid& grid) {
  grid_ = grid;
  const auto cells = static_cast<std::size_t>(grid.cells.x) * static_cast<std::size_t>(grid.cells.y);
  depth_.assign(cells * shared::dust_slices, 0.0F);
}

std::size_t DustColumns::index(glm::ivec2 cell, int slice) const {
  const glm::ivec2 at =
      cell + glm::ivec2(slice % shared::dust_columns, slice / shared::dust_columns) * grid_.cells;
  return static_cast<std::size_t>(at.y) * static_cast<std::size_t>(shared::dust_columns * grid_.cells.x) +
         static_cast<std::size_t>(at.x);
}

glm::vec3 DustColumns::cell_of(const glm::vec3& place) const {
  const glm::vec4 clip = grid_.matrix * glm::vec4(place, 1.0F);
  if (!(clip.w > 0.0F) || !std::isfinite(clip.x + clip.y + clip.z + clip.w) || std::abs(clip.z) > clip.w)
    return glm::vec3(0.0F);
  const glm::vec2 from_middle = 0.5F * glm::vec2(clip) / clip.w * grid_.size_px;
  return {from_middle * grid_.cells_of_pixel + 0.5F * glm::vec2(grid_.cells), clip.w};
}

void DustColumns::add(const glm::vec3& place, float amount) {
  const float slice = std::floor(glm::dot(grid_.slice_of, glm::vec4(place, 1.0F)));
  if (!(slice >= 0.0F && slice < static_cast<float>(shared::dust_slices))) return;
  const glm::vec3 cell = cell_of(place);
  const glm::vec2 last = glm::vec2(grid_.cells) - 1.0F;
  if (cell.z <= 0.0F || cell.x < 1.0F || cell.y < 1.0F || cell.x > last.x || cell.y > last.y) return;
  // A cell that is twice as far has four times the area.
  const float cloud = amount / (cell.z * cell.z);
  const glm::vec2 middle = glm::vec2(cell) - 0.5F, low = glm::floor(middle), part = middle - low;
  const std::size_t at = index(glm::ivec2(low), static_cast<int>(slice));
  const auto row = static_cast<std::size_t>(shared::dust_columns * grid_.cells.x);
  depth_[at] += cloud * (1.0F - part.x) * (1.0F - part.y);
  depth_[at + 1] += cloud * part.x * (1.0F - part.y);
  depth_[at + row] += cloud * (1.0F - part.x) * part.y;
  depth_[at + row + 1] += cloud * part.x * part.y;
}

void DustColumns::add_up() {
  for (int slice = 1; slice < shared::dust_slices; ++slice)
    for (int y = 0; y < grid_.cells.y; ++y) {
      const float* const before = depth_.data() + index({0, y}, slice - 1);
      float* const here = depth_.data() + index({0, y}, slice);
      for (int x = 0; x < grid_.cells.x; ++x) here[x] += before[x];
    }
}

/// Linear between the middles of cells.
float DustColumns::up_to(glm::vec2 cell, int slice) const {
  if (slice < 0) return 0.0F;
  const glm::vec2 middle = glm::clamp(cell, glm::vec2(0.5F), glm::vec2(grid_.cells) - 0.5F) - 0.5F;
  const glm::ivec2 low = glm::min(glm::ivec2(middle), glm::max(grid_.cells - 2, 0));
  const glm::vec2 part = middle - glm::vec2(low);
  const float* const at = depth_.data() + index(low, slice);
  const auto row = static_cast<std::size_t>(shared::dust_columns * grid_.cells.x);
  return glm::mix(glm::mix(at[0], at[1], part.x), glm::mix(at[row], at[row + 1], part.x), part.y);
}

float DustColumns::in_front_of(const glm::vec3& place) const {
  constexpr auto slices = static_cast<float>(shared::dust_slices);
  const float at = std::clamp(glm::dot(grid_.slice_of, glm::vec4(place, 1.0F)), 0.0F, slices);
  const int slice = std::min(static_cast<int>(at), shared::dust_slices - 1);
  const glm::vec3 cell = cell_of(place);
  if (cell.z <= 0.0F) return 0.0F;
  return std::max(glm::mix(up_to(glm::vec2(cell), slice - 1), up_to(glm::vec2(cell), slice),
                           at - static_cast<float>(slice)),
                  0.0F);
}

}  // namespace orrery::render
