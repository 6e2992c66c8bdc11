#include "app/window/camera_operator.h"
#include "app/session/shared_names.h"

#include <GLFW/glfw3.h>
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/log.h"
#include "app/picture/picture_views.h"
#include "app/picture/trail_style.h"
#include "app/session/path_file.h"
#include "app/shown_text.h"
#include "sim/core/error.h"
#include "sim/core/json_text.h"
#include "sim/options/configuration.h"

namespace orrery::app {

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

double CameraOperator::shift() const { return covered_ / static_cast<double>(std::max(window_.size().x, 1)); }

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
