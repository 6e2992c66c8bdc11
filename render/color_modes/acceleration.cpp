#include "color_modes.h"

namespace orrery::render {

const ColorMode color_mode_acceleration{
    .name = "acceleration",
    .meaning = "magnitude of the acceleration that moved the body last",
    .quantity = "acceleration",
    .dimension = "acceleration",
    .default_map = "inferno",
    .glsl = "return acceleration;",
    .scalar = [](const BodySample& body) { return body.acceleration; },
    .source = ColorMode::Source::acceleration,
};

}  // namespace orrery::render
