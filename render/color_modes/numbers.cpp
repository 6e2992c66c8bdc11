// Colour modes that show a number of the body itself.
#include "color_modes.h"

namespace orrery::render {

const ColorMode color_mode_speed{
    .name = "speed",
    .meaning = "magnitude of the velocity",
    .quantity = "speed",
    .dimension = "velocity",
    .default_map = "dusk",
    .glsl = "return length(velocity);",
    .scalar = [](const BodySample& body) { return glm::length(body.velocity); },
};

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

const ColorMode color_mode_radius{
    .name = "radius",
    .meaning = "distance from the origin of the body's galaxy",
    .quantity = "radius",
    .dimension = "length",
    .default_map = "dusk",
    .glsl = "return length(position);",
    .scalar = [](const BodySample& body) { return glm::length(body.position); },
};

const ColorMode color_mode_mass{
    .name = "mass",
    .meaning = "mass of the body",
    .quantity = "mass",
    .dimension = "mass",
    .default_map = "dusk",
    .glsl = "return mass;",
    .scalar = [](const BodySample& body) { return body.mass; },
};

const ColorMode color_mode_density{
    .name = "density",
    .meaning = "mass density around the body, from its 16 nearest neighbours",
    .quantity = "log10 density",
    .default_map = "viridis",
    .glsl = "return quantity;",
    .scalar = [](const BodySample& body) { return body.quantity; },
    .source = ColorMode::Source::density,
};

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

const ColorMode color_mode_charge{
    .name = "charge",
    .meaning = "charge of the body",
    .quantity = "charge",
    .is_signed = true,
    .default_map = "doppler",
    .glsl = "return quantity;",
    .scalar = [](const BodySample& body) { return body.quantity; },
    .source = ColorMode::Source::charge,
};

const ColorMode color_mode_id{
    .name = "id",
    .meaning = "number of the body in the dataset: where bodies that came together end up",
    .quantity = "number",
    .default_map = "viridis",
    .glsl = "return float(body);",
    .scalar = [](const BodySample& one) { return static_cast<float>(one.body); },
};

}  // namespace orrery::render
