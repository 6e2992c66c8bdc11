#include "color_modes.h"

namespace orrery::render {

const ColorMode color_mode_radius{
    .name = "radius",
    .meaning = "distance from the origin of the body's galaxy",
    .quantity = "radius",
    .dimension = "length",
    .default_map = "dusk",
    .glsl = "return length(position);",
    .scalar = [](const BodySample& body) { return glm::length(body.position); },
};

}  // namespace orrery::render
