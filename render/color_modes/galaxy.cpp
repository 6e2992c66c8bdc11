#include "color_modes.h"

namespace orrery::render {

const ColorMode color_mode_galaxy{
    .name = "galaxy",
    .meaning = "each independent galaxy in its own hue",
    .quantity = "galaxy",
    .dimension = "",
    .fixed_range = true,
    .default_map = "hue",
    // Steps of the golden ratio: neighbours differ, and no hue comes back soon.
    .glsl = "return fract(float(galaxy) * 0.618034);",
    .scalar = [](const BodySample& body) { return glm::fract(static_cast<float>(body.galaxy) * 0.618034F); },
};

}  // namespace orrery::render
