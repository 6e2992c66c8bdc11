#include "app/window/camera_control.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <cmath>

namespace orrery::app {

namespace {

constexpr std::chrono::milliseconds double_click{350};
constexpr double double_click_reach = 8.0;
/// A hand that moves the mouse less than this between press and release clicks.
constexpr double click_reach = 4.0;
/// Dragging across the window's height turns by this angle.
constexpr double radians_per_height = 3.14159265358979;
constexpr double zoom_per_notch = 1.15;

/// As the camera counts them: (0, 0) is where its target is drawn.
glm::dvec2 device_coordinates(glm::dvec2 at, const ViewArea& area) {
  return {2.0 * at.x / area.size.x - 1.0 - area.shift, 1.0 - 2.0 * at.y / area.size.y};
}

}  // namespace

void CameraControl::end_click(const InputEvent& event, const ViewArea& area) {
  const auto from = std::exchange(pressed_at_, std::nullopt);
  if (from && event.code == GLFW_MOUSE_BUTTON_LEFT && glm::distance(*from, event.position) < click_reach)
    click_ = device_coordinates(event.position, area);
}

bool CameraControl::press(const InputEvent& event, const ViewArea& area, Session& session) {
  if (!event.pressed) {
    drag_ = Drag::none;
    end_click(event, area);
    return false;
  }
  const bool left = event.code == GLFW_MOUSE_BUTTON_LEFT;
  drag_ = left && (event.modifiers & GLFW_MOD_SHIFT) == 0 ? Drag::turn : Drag::pan;
  last_ = event.position;
  const auto now = std::chrono::steady_clock::now();
  const bool twice = left && now - last_click_ < double_click &&
                     glm::distance(event.position, last_click_at_) < double_click_reach;
  // A third click begins anew.
  last_click_ = left && !twice ? now : std::chrono::steady_clock::time_point{};
  last_click_at_ = event.position;
  pressed_at_.reset();
  if (!twice && drag_ == Drag::turn) pressed_at_ = event.position;
  if (!twice) return false;
  const double aspect = area.size.x / area.size.y;
  const auto cursor = device_coordinates(event.position, area);
  session.camera.target = session.pick(cursor, aspect).value_or(session.camera.point_under(cursor, aspect));
  return true;
}

bool CameraControl::drag(const InputEvent& event, glm::dvec2 size, render::Camera& camera) {
  if (drag_ == Drag::none) return false;
  if (pressed_at_ && glm::distance(*pressed_at_, event.position) >= click_reach) pressed_at_.reset();
  const glm::dvec2 moved = (event.position - last_) / size.y;
  last_ = event.position;
  if (drag_ == Drag::turn) {
    camera.orbit(moved.x * radians_per_height, -moved.y * radians_per_height);
  } else {
    camera.pan(moved.x, -moved.y);
  }
  return true;
}

bool CameraControl::handle(const InputEvent& event, const ViewArea& area, Session& session) {
  switch (event.kind) {
    case InputEvent::Kind::mouse_button:
      return press(event, area, session);
    case InputEvent::Kind::cursor:
      cursor_ = event.position;
      return drag(event, area.size, session.camera);
    case InputEvent::Kind::scroll: {
      const double factor = std::pow(zoom_per_notch, event.position.y);
      if ((event.modifiers & GLFW_MOD_CONTROL) != 0) {
        session.camera.zoom(factor, device_coordinates(cursor_, area), area.size.x / area.size.y);
      } else {
        session.camera.zoom(factor);
      }
      return true;
    }
    default:
      return false;
  }
}

void CameraControl::fly(const Window& window, double seconds, render::Camera& camera) {
  if (camera.mode != render::Camera::Mode::fly) return;
  const auto axis = [&](int forward, int back) {
    return (window.key_down(forward) ? 1.0 : 0.0) - (window.key_down(back) ? 1.0 : 0.0);
  };
  camera.fly(axis(GLFW_KEY_D, GLFW_KEY_A) * seconds, axis(GLFW_KEY_E, GLFW_KEY_Q) * seconds,
             axis(GLFW_KEY_W, GLFW_KEY_S) * seconds);
}

}  // namespace orrery::app
