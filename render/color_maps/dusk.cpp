#include "color_maps.h"

#include <cmath>
#include <numbers>

#include "render/color_maps/color_space.h"

namespace orrery::render {
namespace {

/// A straight line in OKLab lightness; hue from violet over red to pale yellow, most chroma in the middle.
glm::vec3 dusk_at(float t) {
  const float chroma = 0.05F + 0.15F * std::sin(std::numbers::pi_v<float> * (0.08F + 0.82F * t));
  return fit_gamut(0.20F + 0.77F * t, chroma, 285.0F + 170.0F * t);
}

}  // namespace

const ColorMap color_map_dusk{"dusk", "violet to pale yellow, even steps of OKLab lightness",
                              ColorMap::Kind::sequential, dusk_at};

}  // namespace orrery::render
