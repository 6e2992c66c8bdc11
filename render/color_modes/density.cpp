#include "color_modes.h"

namespace orrery::render {

const ColorMode color_mode_density{
    .name = "density",
    .meaning = "mass density around the body, from its 16 nearest neighbours",
    .quantity = "log10 density",
    .dimension = "",
    .default_map = "viridis",
    .glsl = "return quantity;",
    .scalar = [](const BodySample& body) { return body.quantity; },
    .source = ColorMode::Source::density,
};

}  // namespace orrery::render
