#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "app/picture/picking.h"
#include "sim/bodies/bodies.h"

namespace orrery::app {

/// The body that a click means (cursor in normalized device coordinates, y up): of those within 12 pixels of
/// the cursor, in a picture `height` pixels high, the one with the most light over (distance + 2 pixels)^2.
/// Light is that of the component (`light`, one each; 0: not seen, never meant) over the square of the
/// distance from the camera; none counts less than 1/16 of the brightest within reach, so that a bright body
/// is easier to hit and hides no faint one. Empty if no body is near the cursor.
std::optional<std::size_t> body_under(const PickScene& scene, glm::dvec2 cursor, double height,
                                      std::span<const sim::Component> component,
                                      std::span<const float> light);

/// The projection of a world position (normalized device coordinates, y up); empty behind the camera.
std::optional<glm::dvec2> place_in_picture(const render::Camera& camera, double aspect, glm::dvec3 place);

}  // namespace orrery::app
