#include "color_modes.h"

namespace orrery::render {

const ColorMode color_mode_mass{
    .name = "mass",
    .meaning = "mass of the body",
    .quantity = "mass",
    .dimension = "mass",
    .default_map = "dusk",
    .glsl = "return mass;",
    .scalar = [](const BodySample& body) { return body.mass; },
};

}  // namespace orrery::render
