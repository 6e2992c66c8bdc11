#include "color_modes.h"

namespace orrery::render {

const ColorMode color_mode_body{
    .name = "body",
    .meaning = "each body in its own hue",
    .quantity = "body",
    .dimension = "",
    .fixed_range = true,
    .default_map = "hue",
    // As for galaxies; the first one, often a star, is yellow.
    .glsl = "return fract(float(body) * 0.618034 + 0.2);",
    .scalar =
        [](const BodySample& one) { return glm::fract(static_cast<float>(one.body) * 0.618034F + 0.2F); },
};

}  // namespace orrery::render
