#include "app/window/viewer.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/log.h"
#include "app/picture/trail_options.h"
#include "app/session/path_file.h"
#include "sim/core/error.h"

// The camera: fitted, kept under keys, moved along a path, copied as a view.
namespace orrery::app {

void Viewer::move_camera(double seconds) {
  // In a film time goes on from frame to frame of it.
  if (!recorder_.records()) director_.advance(seconds, session_.camera);
  gui_.make_current();
  if (ImGui::GetIO().WantTextInput) return;
  CameraControl::fly(window_, std::min(seconds, 0.1), session_.camera);
}

void Viewer::fit_camera() {
  if (!session_.has_dataset()) return;
  // At the start there may be nothing in the buffers yet.
  const bool moved = session_.frame().steps > 0;
  session_.camera = view_of(moved ? session_.summary_now() : session_.summary(), View::fit, free_aspect());
}

void Viewer::look_along(View view, double turn_degrees) {
  if (session_.has_dataset())
    session_.camera.orientation = towards(view, disk_axis(), turn_degrees).orientation;
}

/// Around which the galaxy turns; of few bodies and of a grid of galaxies the z axis.
glm::dvec3 Viewer::disk_axis() const {
  const auto& summary = session_.summary();
  const bool one = summary.galaxies < 2 && summary.bodies >= few_enough_for_trails;
  return one ? summary.luminous.spin : glm::dvec3(0.0, 0.0, 1.0);
}

/// Starts the camera. The camera options of the command line are for the first dataset.
void Viewer::start_camera(bool restored) {
  if (!restored) fit_camera();
  if (session_.openings() != 1) return;
  session_.camera = chosen_camera(options_.run.camera, session_.camera, session_.summary(), free_aspect());
}

/// The aspect ratio of the picture beside the panel.
double Viewer::free_aspect() const {
  const auto size = glm::dvec2(window_.size());
  return std::max(size.x - panel_width_, 1.0) / std::max(size.y, 1.0);
}

void Viewer::frame_galaxy() {
  const auto extent = session_.singled_out_extent();
  if (extent) session_.camera.fit(extent->center, extent->radius, free_aspect());
}

double Viewer::scene_shift() const {
  return panel_width_ / static_cast<double>(std::max(window_.size().x, 1));
}

void Viewer::copy_view() {
  if (session_.has_dataset()) window_.set_clipboard(state_text(session_.view_state(), {}, 2));
}

void Viewer::paste_view() try {
  if (!session_.has_dataset()) return;
  const auto json = nlohmann::json::parse(window_.clipboard(), nullptr, false);
  if (!json.is_object()) throw sim::Error("the clipboard holds no copied view");
  const auto state = view_state_from_json(table_, json);
  table_.check(state.configuration, session_.context());
  session_.camera = state.camera;
  session_.configuration = state.configuration;
} catch (const sim::Error& error) {
  log_warning(error.what());
}

void Viewer::toggle_playing() {
  if (director_.plays()) return director_.stop();
  if (session_.path.keys().size() > 1) director_.play(session_.path, session_.camera);
}

void Viewer::add_key() {
  auto& path = session_.path;
  const double time = path.empty() ? 0.0 : path.duration() + film_choice_.key_seconds;
  path.set({time, session_.camera, render::Easing::smooth});
}

void Viewer::lay_path(const std::string& preset) {
  if (session_.has_dataset())
    session_.path = preset_path(preset, session_.camera, session_.summary(), film_choice_.path_seconds);
}

void Viewer::keep_bookmark(int number) {
  if (!session_.has_dataset()) return;
  session_.bookmarks.at(static_cast<std::size_t>(number)) = session_.camera;
  say(fmt::format("this view is kept under the key {}", number + 1));
}

void Viewer::go_to_bookmark(int number) {
  if (!session_.has_dataset()) return;
  const auto& bookmark = session_.bookmarks.at(static_cast<std::size_t>(number));
  if (!bookmark)
    return say(fmt::format("no view is kept under {0}: Shift+{0} keeps the present one", number + 1));
  director_.glide(*bookmark, session_.camera);
}

}  // namespace orrery::app
