#include "color_modes.h"

namespace orrery::render {

const ColorMode color_mode_charge{
    .name = "charge",
    .meaning = "charge of the body",
    .quantity = "charge",
    .dimension = "",
    .is_signed = true,
    .default_map = "doppler",
    .glsl = "return quantity;",
    .scalar = [](const BodySample& body) { return body.quantity; },
    .source = ColorMode::Source::charge,
};

}  // namespace orrery::render
