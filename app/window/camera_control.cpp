#include "app/window/camera_control.h"

#include <GLFW/glfw3.h>

#include <algorithm>
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

}  // namespace

void in_view(Session& session, const PictureView& view, const std::function<void()>& act) {
  if (!view.from_a_side) return act();
  auto own = std::exchange(session.camera, view.camera);
  act();
  own.target = session.camera.target;
  own.distance = session.camera.distance;
  session.camera = own;
}

void CameraControl::end_click(const InputEvent& event, const PictureView& view) {
  const auto from = std::exchange(pressed_at_, std::nullopt);
  if (from && event.code == GLFW_MOUSE_BUTTON_LEFT && glm::distance(*from, event.position) < click_reach)
    click_ = Click{view.device_coordinates(event.position), view};
}

bool CameraControl::press(const InputEvent& event, const PictureView& view, Session& session) {
  if (!event.pressed) {
    drag_ = Drag::none;
    end_click(event, view);
    return false;
  }
  const bool left = event.code == GLFW_MOUSE_BUTTON_LEFT;
  const bool plain = left && (event.modifiers & GLFW_MOD_SHIFT) == 0;
  drag_ = plain && !view.from_a_side ? Drag::turn : Drag::pan;
  last_ = event.position;
  const auto now = std::chrono::steady_clock::now();
  const bool twice = left && now - last_click_ < double_click &&
                     glm::distance(event.position, last_click_at_) < double_click_reach;
  // A third click begins anew.
  last_click_ = left && !twice ? now : std::chrono::steady_clock::time_point{};
  last_click_at_ = event.position;
  pressed_at_.reset();
  if (!twice && plain) pressed_at_ = event.position;
  if (!twice) return false;
  const auto cursor = view.device_coordinates(event.position);
  session.camera.target =
      session.pick(cursor, view.aspect()).value_or(session.camera.point_under(cursor, view.aspect()));
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

bool CameraControl::handle(const InputEvent& event, const std::vector<PictureView>& views, Session& session) {
  const bool has_place =
      event.kind == InputEvent::Kind::mouse_button || event.kind == InputEvent::Kind::cursor;
  // What is dragged stays with its view.
  if (has_place && drag_ == Drag::none)
    for (std::size_t i = 0; i < views.size(); ++i)
      if (views[i].contains(event.position)) used_ = i;
  const auto& view = views[std::min(used_, views.size() - 1)];
  bool moved = false;
  in_view(session, view, [&] { moved = act(event, view, session); });
  return moved;
}

bool CameraControl::act(const InputEvent& event, const PictureView& view, Session& session) {
  switch (event.kind) {
    case InputEvent::Kind::mouse_button:
      return press(event, view, session);
    case InputEvent::Kind::cursor:
      cursor_ = event.position;
      return drag(event, view.size, session.camera);
    case InputEvent::Kind::scroll: {
      const double factor = std::pow(zoom_per_notch, event.position.y);
      if ((event.modifiers & GLFW_MOD_CONTROL) != 0) {
        session.camera.zoom(factor, view.device_coordinates(cursor_), view.aspect());
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
