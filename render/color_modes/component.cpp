#include "color_modes.h"

namespace orrery::render {

const ColorMode color_mode_component{
    .name = "component",
    .meaning = "disk, bulge, halo, ... each in its own colour",
    .quantity = "component",
    .dimension = "",
    .categorical = true,
    .glsl = "return float(component);",
    .scalar = [](const BodySample& body) { return static_cast<float>(body.component); },
};

}  // namespace orrery::render
