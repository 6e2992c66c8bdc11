#include "render/color_map.h"

#include <algorithm>
#include <array>

#include "render/color_maps/color_maps.h"
#include "render/color_space.h"

namespace orrery::render {

glm::vec3 ColorMap::evaluate(float t) const { return at(t >= 0.0F ? std::min(t, 1.0F) : 0.0F); }
glm::vec3 ColorMap::evaluate_srgb(float t) const { return srgb_encode(evaluate(t)); }

std::span<const ColorMap* const> color_maps() {
  static const std::array<const ColorMap*, 7> maps{
      &color_map_dusk,    &color_map_glacier,   &color_map_cubehelix, &color_map_gray,
      &color_map_doppler, &color_map_blackbody, &color_map_hue,
  };
  return maps;
}

const ColorMap* find_color_map(std::string_view name) {
  for (const ColorMap* map : color_maps())
    if (map->name == name) return map;
  return nullptr;
}

}  // namespace orrery::render
