#include "color_maps.h"

#include "render/color_maps/color_space.h"

namespace orrery::render {
namespace {

/// A straight line in OKLab lightness through one family of hues, navy to ice white.
glm::vec3 glacier_at(float t) {
  return fit_gamut(0.20F + 0.78F * t, 0.02F + 0.35F * t * (1.0F - t) * (1.2F - t) + 0.07F * (1.0F - t),
                   255.0F - 45.0F * t);
}

}  // namespace

const ColorMap color_map_glacier{"glacier", "navy to ice white, even steps of OKLab lightness",
                                 ColorMap::Kind::sequential, glacier_at};

}  // namespace orrery::render
