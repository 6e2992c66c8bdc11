#include "app/picture/picture_views.h"

#include <cmath>
#include <glm/gtc/quaternion.hpp>

#include "render/light/tone_mapper.h"

namespace orrery::app {

namespace {

/// Camera axes in world axes: right, up, backwards.
glm::dquat looking(glm::dvec3 right, glm::dvec3 up) {
  return glm::quat_cast(glm::dmat3(right, up, glm::cross(right, up)));
}

render::Camera turned(render::Camera camera, const glm::dquat& orientation) {
  camera.orientation = orientation;
  return camera;
}

}  // namespace

bool PictureView::contains(glm::dvec2 place) const {
  return glm::all(glm::greaterThanEqual(place, corner)) && glm::all(glm::lessThan(place, corner + size));
}

glm::dvec2 PictureView::device_coordinates(glm::dvec2 place) const {
  const auto at = (place - corner) / size;
  return {2.0 * at.x - 1.0 - shift, 1.0 - 2.0 * at.y};
}

glm::dvec2 PictureView::place_of(glm::dvec2 device) const {
  return corner + 0.5 * size * glm::dvec2(device.x + shift + 1.0, 1.0 - device.y);
}

std::vector<PictureView> views_of(const PictureOptions& options, const render::Camera& camera,
                                  glm::dvec2 size, double shift) {
  if (!options.has_several_views())
    return {{.name = {}, .camera = camera, .corner = {}, .size = size, .shift = shift}};
  const double left = std::round(shift * size.x);
  const glm::dvec2 each = glm::max(glm::floor(0.5 * glm::dvec2(size.x - left, size.y)), glm::dvec2(1.0));
  const glm::dvec2 far = size - each;
  const glm::dvec3 x(1.0, 0.0, 0.0), y(0.0, 1.0, 0.0), z(0.0, 0.0, 1.0);
  return {{.name = "3-D", .camera = camera, .corner = {left, 0.0}, .size = each},
          {"xy", turned(camera, looking(x, y)), {far.x, 0.0}, each, 0.0, true},
          {"xz", turned(camera, looking(x, z)), {left, far.y}, each, 0.0, true},
          {"yz", turned(camera, looking(y, z)), far, each, 0.0, true}};
}

std::vector<PictureView> views_of(const PictureInput& input, glm::ivec2 size) {
  return views_of(input.look.picture, input.camera, glm::dvec2(size), input.shift);
}

glm::vec4 ground_of(const PictureInput& input) {
  if (input.transparent) return glm::vec4(0.0F);
  return {input.look.light.paper ? render::inked(glm::vec3(0.0F)) : glm::vec3(0.0F), 1.0F};
}

glm::ivec2 lower_left(const PictureView& view, glm::ivec2 size) {
  return {static_cast<int>(view.corner.x), size.y - static_cast<int>(view.corner.y + view.size.y)};
}

PictureInput input_of(const PictureInput& picture, const PictureView& view) {
  auto own = picture;
  own.camera = view.camera;
  own.shift = view.shift;
  return own;
}

}  // namespace orrery::app
