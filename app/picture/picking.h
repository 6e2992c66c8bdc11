#pragma once

#include <cstddef>
#include <cstdint>
#include <glm/glm.hpp>
#include <optional>
#include <span>

#include "app/picture/scene_summary.h"
#include "render/picture/camera.h"
#include "sim/bodies/bodies.h"

namespace orrery::app {

/// The bodies as they are drawn, and from where. For clicks: looking through it takes a loop over all bodies.
struct PickScene {
  std::span<const float> position;        ///< 4 floats per body: x, y, z, mass
  std::span<const std::uint32_t> galaxy;  ///< galaxy number of each body; never decreases
  const SceneSummary& summary;
  const render::Camera& camera;
  double aspect = 1.0;  ///< width / height
};

/// The mean place of the bodies near the cursor (normalized device coordinates, y up), as they are drawn:
/// with their galaxy's place in the grid. Empty if there are none.
std::optional<glm::dvec3> middle_under(const PickScene& scene, glm::dvec2 cursor);

/// The galaxy under the cursor: of those with bodies near it the one with most, else the one around whose
/// place in the grid the cursor is within SceneSummary::radius. Empty between galaxies and beside them.
std::optional<std::uint32_t> galaxy_under(const PickScene& scene, glm::dvec2 cursor);

/// The sphere that shows a galaxy: around the median of its bodies, 95 % of them within.
struct GalaxyExtent {
  glm::dvec3 center{0.0};  ///< as drawn: in the grid
  double radius = 1.0;
};
/// Empty if no body belongs to that galaxy.
std::optional<GalaxyExtent> extent_of(const PickScene& scene, std::uint32_t galaxy);

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
