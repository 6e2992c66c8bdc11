#include "color_maps.h"

#include <cmath>

#include "render/color_maps/color_space.h"

namespace orrery::render {
namespace {

/// Blue for approaching, red for receding, near white between; lightness is symmetric around the middle.
glm::vec3 doppler_at(float t) {
  const float away = std::abs(2.0F * t - 1.0F);
  return fit_gamut(0.95F - 0.42F * away, 0.20F * away, t < 0.5F ? 262.0F : 27.0F);
}

}  // namespace

const ColorMap color_map_doppler{"doppler", "blue (approaching) over white to red (receding), in OKLCH",
                                 ColorMap::Kind::diverging, doppler_at};

}  // namespace orrery::render
