#pragma once

#include <glm/glm.hpp>
#include <string_view>
#include <vector>

#include "app/picture/picture_input.h"
#include "render/picture/camera.h"

namespace orrery::app {

/// A part of a picture that shows the bodies from one side.
struct PictureView {
  std::string_view name;  ///< "3-D", "xy", ...; empty: the only view
  /// Camera of a side view: target, distance and angle come from the picture's camera.
  render::Camera camera;
  glm::dvec2 corner{0.0};    ///< upper left one, from the picture's upper left corner
  glm::dvec2 size{1.0};      ///< size, in the unit of `corner`
  double shift = 0.0;        ///< as in PictureInput
  bool from_a_side = false;  ///< a side view, whose direction cannot be turned

  double aspect() const { return size.x / size.y; }
  /// True if the place lies in it.
  bool contains(glm::dvec2 place) const;
  /// Normalized device coordinates, in which the camera's target is at (0, 0), and back.
  glm::dvec2 device_coordinates(glm::dvec2 place) const;
  glm::dvec2 place_of(glm::dvec2 device) const;
};

/// The views of a picture: the only one, or with views=four the camera's own, and those along the z, y and x
/// axis, all of one size. They lie beside what the panel covers (`shift` as in PictureInput). Sizes are whole
/// numbers where `size` is.
std::vector<PictureView> views_of(const PictureOptions& options, const render::Camera& camera,
                                  glm::dvec2 size, double shift);
/// The views of a picture of `size` pixels.
std::vector<PictureView> views_of(const PictureInput& input, glm::ivec2 size);

/// The lower left pixel of a view of a picture of `size` pixels, as OpenGL counts them.
glm::ivec2 lower_left(const PictureView& view, glm::ivec2 size);
/// The colour (sRGB, alpha) of what lies between several views, and below the panel.
glm::vec4 ground_of(const PictureInput& input);

/// The input to draw one view by itself.
PictureInput input_of(const PictureInput& picture, const PictureView& view);

}  // namespace orrery::app
