#include "render/picture/camera.h"

#include <algorithm>
#include <cmath>
#include <glm/gtc/matrix_transform.hpp>

namespace orrery::render {
namespace {

const glm::dvec3 axis_x{1.0, 0.0, 0.0};
const glm::dvec3 axis_y{0.0, 1.0, 0.0};
const glm::dvec3 axis_z{0.0, 0.0, 1.0};

glm::dquat looking_along(glm::dvec3 forward, glm::dvec3 up) {
  const glm::dvec3 right = glm::normalize(glm::cross(forward, up));
  return glm::normalize(glm::quat_cast(glm::dmat3(right, glm::cross(right, forward), -forward)));
}

}  // namespace

void Camera::orbit(double dx, double dy) {
  // Upside down, the scene must still follow the hand.
  const double side = up().z < 0.0 ? -1.0 : 1.0;
  const glm::dvec3 eye = position();
  orientation = glm::normalize(glm::angleAxis(-dx * side, axis_z) * orientation * glm::angleAxis(dy, axis_x));
  if (mode == Mode::fly) target = eye + forward() * distance;
}

void Camera::pan(double dx, double dy) { target -= (right() * dx + up() * dy) * picture_height(); }

void Camera::zoom(double factor) {
  if (!(factor > 0.0) || !std::isfinite(factor)) return;
  // Beyond these a float cannot hold the matrices.
  distance = std::clamp(distance / factor, 1e-30, 1e30);
}

void Camera::zoom(double factor, glm::dvec2 cursor, double aspect) {
  const glm::dvec3 before = point_under(cursor, aspect);
  zoom(factor);
  target += before - point_under(cursor, aspect);
}

void Camera::fly(double right_steps, double up_steps, double forward_steps) {
  target += (right() * right_steps + up() * up_steps + forward() * forward_steps) * distance;
}

void Camera::fit(glm::dvec3 center, double radius, double aspect) {
  const double narrow = std::atan(half_height() * std::min(1.0, aspect));
  target = center;
  distance = std::clamp(radius / std::sin(narrow), 1e-30, 1e30);
}

void Camera::look(Preset preset) {
  switch (preset) {
    case Preset::face_on:
      orientation = looking_along(-axis_z, axis_y);
      break;
    case Preset::edge_on:
      orientation = looking_along(-axis_x, axis_z);
      break;
    case Preset::oblique:
      orientation = looking_along(glm::normalize(glm::dvec3(0.25, 0.80, -0.55)), axis_z);
      break;
  }
}

double Camera::half_height() const { return std::tan(0.5 * static_cast<double>(field_of_view)); }

glm::dvec3 Camera::position() const { return target - forward() * distance; }
glm::dvec3 Camera::right() const { return orientation * axis_x; }
glm::dvec3 Camera::up() const { return orientation * axis_y; }
glm::dvec3 Camera::forward() const { return orientation * -axis_z; }

glm::mat4 Camera::view() const {
  const glm::dmat4 turn = glm::mat4_cast(glm::conjugate(orientation));
  return glm::mat4(glm::translate(turn, -position()));
}

glm::mat4 Camera::projection(float aspect) const {
  const double scale = 1.0 / half_height();
  glm::dmat4 matrix(0.0);
  matrix[0][0] = scale / static_cast<double>(aspect);
  matrix[1][1] = scale;
  matrix[2][2] = -1.0;
  matrix[2][3] = -1.0;
  matrix[3][2] = -2.0 * near_plane();
  return glm::mat4(matrix);
}

glm::dvec3 Camera::point_under(glm::dvec2 cursor, double aspect) const {
  const double half = distance * half_height();
  return target + right() * (cursor.x * half * aspect) + up() * (cursor.y * half);
}

float Camera::zoom_compensation(double reference_distance) const {
  return static_cast<float>(2.0 * std::log2(reference_distance / distance));
}

}  // namespace orrery::render
