#include "color_maps.h"

#include "render/color_maps/color_space.h"

namespace orrery::render {
namespace {

/// One turn of OKLCH hue at constant lightness and chroma inside the sRGB gamut everywhere.
glm::vec3 hue_at(float t) { return fit_gamut(0.75F, 0.125F, 360.0F * t + 20.0F); }

}  // namespace

const ColorMap color_map_hue{"hue", "all hues at the same lightness, in OKLCH", ColorMap::Kind::cyclic,
                             hue_at};

}  // namespace orrery::render
