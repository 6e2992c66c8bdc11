#include "color_maps.h"

#include <cmath>
#include <numbers>

#include "render/color_maps/color_space.h"

namespace orrery::render {
namespace {

/// Green 2011, Bulletin of the Astronomical Society of India 39, 289: start 0.5, -1.5 rotations, hue 1,
/// gamma 1. His formula gives display values.
glm::vec3 cubehelix_at(float t) {
  const float angle = 2.0F * std::numbers::pi_v<float> * (0.5F / 3.0F + 1.0F - 1.5F * t);
  const float amplitude = 0.5F * t * (1.0F - t);
  const float c = std::cos(angle);
  const float s = std::sin(angle);
  const glm::vec3 shown(t + amplitude * (-0.14861F * c + 1.78277F * s),
                        t + amplitude * (-0.29227F * c - 0.90649F * s), t + amplitude * 1.97294F * c);
  return srgb_decode(glm::clamp(shown, 0.0F, 1.0F));
}

}  // namespace

const ColorMap color_map_cubehelix{"cubehelix", "Green 2011: brightness rises evenly, also in print",
                                   ColorMap::Kind::sequential, cubehelix_at};

}  // namespace orrery::render
