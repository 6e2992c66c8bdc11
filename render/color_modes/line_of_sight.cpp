#include "color_modes.h"

namespace orrery::render {

const ColorMode color_mode_line_of_sight{
    .name = "line-of-sight",
    .meaning = "velocity away from the camera, as a spectrograph would see it",
    .quantity = "line-of-sight velocity",
    .dimension = "velocity",
    .is_signed = true,
    .default_map = "doppler",
    .glsl = "return dot(velocity, line_of_sight);",
    .scalar = [](const BodySample& body) { return glm::dot(body.velocity, body.line_of_sight); },
};

}  // namespace orrery::render
