#include "color_modes.h"

namespace orrery::render {

const ColorMode color_mode_speed{
    .name = "speed",
    .meaning = "magnitude of the velocity",
    .quantity = "speed",
    .dimension = "velocity",
    .default_map = "dusk",
    .glsl = "return length(velocity);",
    .scalar = [](const BodySample& body) { return glm::length(body.velocity); },
};

}  // namespace orrery::render
