#include "color_maps.h"

#include "render/color_maps/color_space.h"

namespace orrery::render {
namespace {

/// The red channel of the display is t, the others are off.
glm::vec3 red_at(float t) { return {srgb_decode(t), 0.0F, 0.0F}; }

}  // namespace

const ColorMap color_map_red{"red", "black to red: t is the display's red channel (COM4521's activity map)",
                             ColorMap::Kind::sequential, red_at};

}  // namespace orrery::render
