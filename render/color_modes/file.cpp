#include "color_modes.h"

namespace orrery::render {

const ColorMode color_mode_file{
    .name = "file",
    .meaning = "the colours that the file gives its bodies; a body without one has that of its component",
    .quantity = "colours of their own",
    .dimension = "",
    .categorical = true,
    .is_color = true,
    .glsl = "return quantity;",
    .scalar = [](const BodySample& body) { return body.quantity; },
    .source = ColorMode::Source::file,
};

}  // namespace orrery::render
