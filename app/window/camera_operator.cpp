#include "app/window/camera_operator.h"

#include <GLFW/glfw3.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/log.h"
#include "app/picture/picture_views.h"
#include "app/picture/trail_style.h"
#include "app/session/camera_file.h"
#include "app/session/session.h"
#include "app/session/shared_names.h"
#include "app/shown_text.h"
#include "app/window/messages.h"
#include "sim/core/error.h"
#include "sim/core/json_text.h"
#include "sim/options/configuration.h"

namespace orrery::app {

namespace {

constexpr std::chrono::milliseconds double_click{350};
constexpr double double_click_reach = 8.0;
/// A hand that moves the mouse less than this between press and release clicks.
constexpr double click_reach = 4.0;
/// Dragging across the window's height turns by this angle.
constexpr double radians_per_height = 3.14159265358979;
constexpr double zoom_per_notch = 1.15;

constexpr double glide_seconds = 0.7;

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

void CameraDirector::play(const render::CameraPath& path, render::Camera& camera, bool gliding) {
  path_ = path;
  gliding_ = gliding;
  time_ = 0.0;
  set_ = camera = path.at(0.0);
}

void CameraDirector::glide(const render::Camera& to, render::Camera& camera) {
  play(render::CameraPath({{0.0, camera, render::Easing::rest}, {glide_seconds, to, render::Easing::rest}}),
       camera, true);
}

void CameraDirector::advance(double seconds, render::Camera& camera) {
  if (!path_) return;
  if (camera != set_) return stop();
  time_ += seconds;
  set_ = camera = path_->at(time_);
  if (time_ >= path_->duration()) stop();
}

CameraOperator::CameraOperator(Session& session, Window& window, Messages& messages, CameraChoice first)
    : session_(session), window_(window), messages_(messages), first_(std::move(first)) {}

void CameraOperator::start(bool restored) {
  if (!restored) fit();
  if (session_.openings() != 1) return;
  session_.camera = chosen_camera(first_, session_.camera, session_.summary(), free_aspect());
}

void CameraOperator::fit() {
  if (!session_.has_dataset()) return;
  // At the start there may be nothing in the buffers yet.
  const bool moved = session_.frame().steps > 0;
  session_.camera = view_of(moved ? session_.summary_now() : session_.summary(), View::fit, free_aspect());
  fitted_ = session_.camera;
}

void CameraOperator::fit_when_turned() {
  if (!window_.has_fingers()) return;
  const auto size = window_.size();
  const bool upright = size.y > size.x;
  if (std::exchange(upright_, upright) != upright && fitted_ == session_.camera) fit();
}

void CameraOperator::look_along(View view, double turn_degrees) {
  if (session_.has_dataset())
    session_.camera.orientation = towards(view, disk_axis(), turn_degrees).orientation;
}

/// Around which the galaxy turns; of few bodies and of a grid of galaxies the z axis.
glm::dvec3 CameraOperator::disk_axis() const {
  const auto& summary = session_.summary();
  const bool one = summary.galaxies < 2 && summary.bodies >= few_enough_for_trails;
  return one ? summary.luminous.spin : glm::dvec3(0.0, 0.0, 1.0);
}

double CameraOperator::free_aspect() const {
  const auto size = glm::dvec2(window_.size());
  return std::max(size.x - covered_, 1.0) / std::max(size.y, 1.0);
}

void CameraOperator::frame_galaxy() {
  const auto extent = session_.singled_out_extent();
  if (extent) session_.camera.fit(extent->center, extent->radius, free_aspect());
}

void CameraOperator::copy_view() {
  if (session_.has_dataset()) window_.set_clipboard(shown_text(state_text(session_.view_state(), {}, 2)));
}

void CameraOperator::paste_view() try {
  if (!session_.has_dataset()) return;
  const auto json = sim::json_in(window_.clipboard());
  if (!json.is_object()) throw sim::Error("the clipboard holds no copied view");
  const auto state = view_state_from_json(session_.table(), json);
  session_.table().check(state.configuration, session_.context());
  session_.camera = state.camera;
  session_.configuration = state.configuration;
} catch (const sim::Error& error) {
  log_warning(error.what());
}

void CameraOperator::keep_bookmark(int number) {
  if (!session_.has_dataset()) return;
  session_.bookmarks.at(static_cast<std::size_t>(number)) = session_.camera;
  messages_.say(fmt::format("this view is kept under the key {}", number + 1));
}

void CameraOperator::go_to_bookmark(int number) {
  if (!session_.has_dataset()) return;
  const auto& bookmark = session_.bookmarks.at(static_cast<std::size_t>(number));
  if (!bookmark)
    return messages_.say(
        fmt::format("no view is kept under {0}: Shift+{0} keeps the present one", number + 1));
  glide(*bookmark);
}

void CameraOperator::glide(const render::Camera& to) { director_.glide(to, session_.camera); }

void CameraOperator::play() { director_.play(session_.path, session_.camera); }

void CameraOperator::toggle_playing() {
  if (director_.plays()) return director_.stop();
  if (session_.path.keys().size() > 1) play();
}

void CameraOperator::add_key(double seconds) {
  auto& path = session_.path;
  const double time = path.empty() ? 0.0 : path.duration() + seconds;
  path.set({time, session_.camera, render::Easing::smooth});
}

void CameraOperator::lay_path(const std::string& preset, double seconds) {
  if (session_.has_dataset())
    session_.path = preset_path(preset, session_.camera, session_.summary(), seconds);
}

void CameraOperator::advance(double seconds) {
  if (director_.moves()) director_.advance(seconds, session_.camera);
}

void CameraOperator::fly(double seconds) {
  CameraControl::fly(window_, std::min(seconds, 0.1), session_.camera);
}

std::optional<Click> CameraOperator::handle(const InputEvent& event) {
  auto with_keys = event;
  if (event.kind == InputEvent::Kind::scroll && window_.key_down(GLFW_KEY_LEFT_CONTROL))
    with_keys.modifiers |= GLFW_MOD_CONTROL;
  const auto views = views_of(session_.look().picture, session_.camera, glm::dvec2(window_.size()), shift());
  control_.handle(with_keys, views, session_);
  return control_.take_click();
}

}  // namespace orrery::app
