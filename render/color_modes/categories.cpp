// Colour modes in which a colour says what a body is, or whose.
#include "color_modes.h"

namespace orrery::render {

const ColorMode color_mode_component{
    .name = "component",
    .meaning = "disk, bulge, halo, ... each in its own colour",
    .quantity = "component",
    .categorical = true,
    .glsl = "return float(component);",
    .scalar = [](const BodySample& body) { return static_cast<float>(body.component); },
};

const ColorMode color_mode_galaxy{
    .name = "galaxy",
    .meaning = "each independent galaxy in its own hue",
    .quantity = "galaxy",
    .fixed_range = true,
    .default_map = "hue",
    // Steps of the golden ratio: neighbours differ, and no hue comes back soon.
    .glsl = "return fract(float(galaxy) * 0.618034);",
    .scalar = [](const BodySample& body) { return glm::fract(static_cast<float>(body.galaxy) * 0.618034F); },
};

const ColorMode color_mode_body{
    .name = "body",
    .meaning = "each body in its own hue",
    .quantity = "body",
    .fixed_range = true,
    .default_map = "hue",
    // As for galaxies; the first one, often a star, is yellow.
    .glsl = "return fract(float(body) * 0.618034 + 0.2);",
    .scalar =
        [](const BodySample& one) { return glm::fract(static_cast<float>(one.body) * 0.618034F + 0.2F); },
};

const ColorMode color_mode_file{
    .name = "file",
    .meaning = "the colours that the file gives its bodies; a body without one has that of its component",
    .quantity = "colours of their own",
    .categorical = true,
    .is_color = true,
    .glsl = "return quantity;",
    .scalar = [](const BodySample& body) { return body.quantity; },
    .source = ColorMode::Source::file,
};

}  // namespace orrery::render
