#include "color_maps.h"

#include "render/color_maps/color_space.h"

namespace orrery::render {
namespace {

/// Even steps of reciprocal temperature (which the eye sees as even) from 1800 K to 30 000 K.
glm::vec3 blackbody_at(float t) {
  const float cold = 1.0F / 1800.0F;
  const float hot = 1.0F / 30000.0F;
  return blackbody_color(1.0F / (cold + (hot - cold) * t));
}

}  // namespace

const ColorMap color_map_blackbody{"blackbody",
                                   "light of a black body, 1800 K to 30 000 K (Planck, CIE 1931)",
                                   ColorMap::Kind::physical, blackbody_at};

}  // namespace orrery::render
