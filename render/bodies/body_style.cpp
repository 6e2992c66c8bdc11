#include "render/bodies/body_style.h"

#include <algorithm>

#include "render/color_maps/color_space.h"

namespace orrery::render {

float balanced_brightness(std::size_t bodies) {
  constexpr float total = 6e4F;
  return std::min(total / static_cast<float>(std::max<std::size_t>(bodies, 1)), 4.0F);
}

glm::vec3 grid_offset(std::uint32_t galaxy, const BodyStyle& style) {
  return grid_offset(galaxy, style.grid_columns, style.grid_spacing);
}

glm::vec3 grid_offset(std::uint32_t galaxy, std::uint32_t columns, float spacing) {
  const std::uint32_t in_a_row = std::max(columns, 1U);
  const std::uint32_t row = galaxy / in_a_row;
  return glm::vec3(static_cast<float>(galaxy % in_a_row), -static_cast<float>(row), 0.0F) * spacing;
}

std::array<glm::vec3, 8> BodyStyle::default_palette() {
  return {
      glm::vec3(1.00F, 0.22F, 0.38F),  // gas: the pink of ionized hydrogen
      glm::vec3(0.13F, 0.07F, 0.32F),  // halo: faint violet
      blackbody_color(20000.0F),       // disk: young stars
      blackbody_color(3700.0F),        // bulge: old stars
      blackbody_color(6500.0F),        // star
      blackbody_color(5800.0F),        // other: white
      glm::vec3(0.30F, 0.90F, 0.55F), glm::vec3(0.95F, 0.75F, 0.20F),
  };
}

}  // namespace orrery::render
