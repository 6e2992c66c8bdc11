#include "render/color_maps/color_map.h"

#include <algorithm>

#include "color_maps.h"
#include "render/color_maps/color_space.h"

namespace orrery::render {

glm::vec3 ColorMap::evaluate(float t) const { return at(t >= 0.0F ? std::min(t, 1.0F) : 0.0F); }
glm::vec3 ColorMap::evaluate_srgb(float t) const { return srgb_encode(evaluate(t)); }

std::span<const ColorMap* const> color_maps() { return registry::color_maps; }

const ColorMap* find_color_map(std::string_view name) {
  for (const ColorMap* map : color_maps())
    if (map->name == name) return map;
  return nullptr;
}

}  // namespace orrery::render
