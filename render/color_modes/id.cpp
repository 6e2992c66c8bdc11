#include "color_modes.h"

namespace orrery::render {

const ColorMode color_mode_id{
    .name = "id",
    .meaning = "number of the body in the dataset: where bodies that came together end up",
    .quantity = "number",
    .dimension = "",
    .default_map = "viridis",
    .glsl = "return float(body);",
    .scalar = [](const BodySample& one) { return static_cast<float>(one.body); },
};

}  // namespace orrery::render
