#include "app/session/camera_file.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/session/state_file.h"
#include "sim/core/error.h"
#include "sim/core/json_text.h"
#include "sim/core/letters.h"
#include "sim/core/message.h"

namespace orrery::app {

using nlohmann::json;
using render::Camera;

namespace {

constexpr std::string_view orbit_name = "orbit";
constexpr std::string_view fly_through_name = "fly-through";
constexpr double longest_film = 1e6;  // seconds

render::CameraKey key_from_json(const json& entry) {
  render::CameraKey key{.time = entry.at("time").get<double>(),
                        .camera = camera_from_json(entry.at("camera"))};
  if (!(key.time >= 0.0 && key.time <= longest_film))
    throw sim::Error("the times of a camera path are seconds of film, from 0 to 1e6");
  const auto name = entry.value("easing", std::string("smooth"));
  const auto easing = render::find_easing(name);
  if (!easing)
    throw sim::Error(
        fmt::format("there is no easing {}; choose smooth, linear, rest or hold", sim::printable(name)));
  key.easing = *easing;
  return key;
}

const json& path_in(const json& entry) {
  if (!entry.is_object()) throw sim::Error("it is no JSON object");
  const auto& path = entry.contains("path") ? entry.at("path") : entry;
  if (!path.contains("keys"))
    throw sim::Error("it holds no camera path; set key frames in the window and save a state or a picture");
  return path;
}

glm::dvec3 vector_of(const json& entry) {
  const auto v = entry.get<std::array<double, 3>>();
  return {v[0], v[1], v[2]};
}

bool is_finite(glm::dvec3 v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

glm::dquat quaternion_of(const json& entry) {
  const auto q = entry.get<std::array<double, 4>>();
  const glm::dquat turn(q[0], q[1], q[2], q[3]);
  const double length = glm::length(turn);
  if (!(length > 1e-6 && length < 1e6)) throw sim::Error("orientation_wxyz is no rotation");
  // What this program wrote comes back bit for bit.
  return std::abs(length - 1.0) < 1e-12 ? turn : turn / length;
}

/// Looks from `eye` at the camera's target.
void look_from(Camera& camera, glm::dvec3 eye, glm::dvec3 up) {
  const auto line = camera.target - eye;
  camera.distance = glm::length(line);
  const auto right = glm::cross(line, up);
  if (!(glm::length(right) > 1e-12 * camera.distance * glm::length(up)))
    throw sim::Error("the camera's up must not lie along the line of sight");
  const auto x = glm::normalize(right);
  const auto forward = line / camera.distance;
  camera.orientation = glm::normalize(glm::quat_cast(glm::dmat3(x, glm::cross(x, forward), -forward)));
}

/// From a position the target or the orientation follows.
void read_from_position(Camera& camera, const json& entry) {
  const auto eye = vector_of(entry.at("position"));
  if (entry.contains("orientation_wxyz")) {
    camera.orientation = quaternion_of(entry.at("orientation_wxyz"));
    camera.distance = entry.at("distance").get<double>();
    camera.target = eye + camera.forward() * camera.distance;
    return;
  }
  camera.target = vector_of(entry.at("target"));
  look_from(camera, eye, entry.contains("up") ? vector_of(entry.at("up")) : glm::dvec3(0.0, 0.0, 1.0));
}

void require_usable(const Camera& camera) {
  const bool usable = camera.distance > 0.0 && std::isfinite(camera.distance) &&
                      camera.field_of_view > 0.01F && camera.field_of_view < 3.1F &&
                      std::isfinite(camera.orientation.w) && is_finite(camera.target);
  if (!usable) throw sim::Error("the camera makes no sense");
}

Camera camera_in(const json& entry) try {
  return camera_from_json(entry.contains("camera") ? entry.at("camera") : entry);
} catch (const json::exception&) {
  throw sim::Error(
      "a camera needs target, orientation_wxyz and distance, or position and target (see docs/rendering.md)");
}

}  // namespace

json to_json(const render::CameraPath& path) {
  auto keys = json::array();
  for (const auto& key : path.keys())
    keys.push_back(
        {{"time", key.time}, {"easing", render::easing_name(key.easing)}, {"camera", to_json(key.camera)}});
  return {{"keys", std::move(keys)}};
}

render::CameraPath path_from_json(const json& entry) {
  std::vector<render::CameraKey> keys;
  for (const auto& key : entry.at("keys")) keys.push_back(key_from_json(key));
  return render::CameraPath(keys);
}

render::CameraPath read_path(const std::filesystem::path& path) try {
  const auto entry = sim::json_in(read_state_text(path));
  auto found = path_from_json(path_in(entry));
  if (found.empty()) throw sim::Error("its camera path has no keys");
  return found;
} catch (const sim::UsageError&) {
  throw;
} catch (const json::exception&) {
  throw sim::Error(
      fmt::format("cannot use the camera path '{}': each key needs a time and a camera (see "
                  "docs/rendering.md)",
                  path.string()));
} catch (const std::runtime_error& error) {
  throw sim::Error(fmt::format("cannot use the camera path '{}': {}", path.string(), error.what()));
}

bool is_path_preset(const std::string& name) { return name == orbit_name || name == fly_through_name; }

render::CameraPath preset_path(const std::string& name, const render::Camera& camera,
                               const SceneSummary& summary, double seconds) {
  const auto axis = summary.luminous.spin;
  if (name == orbit_name) return render::orbit_path(camera, axis, seconds);
  const auto& luminous = summary.luminous;
  const bool one = summary.galaxies < 2 && luminous.half_radius > 0.0;
  return render::fly_through_path(camera, one ? luminous.center : summary.view_center(),
                                  one ? 2.0 * luminous.half_radius : summary.view_radius(), axis, seconds);
}

json to_json(const Camera& camera) {
  const auto& q = camera.orientation;
  return {{"target", {camera.target.x, camera.target.y, camera.target.z}},
          {"orientation_wxyz", {q.w, q.x, q.y, q.z}},
          {"distance", camera.distance},
          {"field_of_view", camera.field_of_view},
          {"mode", camera.mode == Camera::Mode::fly ? "fly" : "orbit"}};
}

Camera camera_from_json(const json& entry) {
  Camera camera;
  if (entry.contains("position")) {
    read_from_position(camera, entry);
  } else {
    camera.target = vector_of(entry.at("target"));
    camera.orientation = quaternion_of(entry.at("orientation_wxyz"));
    camera.distance = entry.at("distance").get<double>();
  }
  camera.field_of_view = entry.value("field_of_view", camera.field_of_view);
  camera.mode = entry.value("mode", "orbit") == "fly" ? Camera::Mode::fly : Camera::Mode::orbit;
  require_usable(camera);
  return camera;
}

Camera read_camera(const std::filesystem::path& path) try {
  const auto entry = sim::json_in(read_state_text(path));
  if (!entry.is_object()) throw sim::Error("it is no JSON object");
  return camera_in(entry);
} catch (const sim::UsageError&) {
  throw;
} catch (const std::runtime_error& error) {
  throw sim::Error(fmt::format("cannot use the camera '{}': {}", path.string(), error.what()));
}

void take_view(CameraChoice& choice, const std::string& text) {
  std::error_code failure;
  // No view has a dot or a slash in its name.
  const bool file =
      text.find_first_of("./") != std::string::npos || std::filesystem::is_regular_file(text, failure);
  choice.camera = file ? std::optional(read_camera(text)) : std::nullopt;
  choice.view = file ? std::nullopt : std::optional(view_from_name(text));
}

double parse_zoom(const std::string& text) {
  const auto factor = sim::number_in<double>(text);
  if (!factor || !(*factor >= 1e-6 && *factor <= 1e6))
    throw sim::UsageError(
        fmt::format("--zoom takes a factor from 1e-6 to 1e6, like 2 for twice as large, not '{}'", text));
  return *factor;
}

Camera chosen_camera(const CameraChoice& choice, const Camera& present, const SceneSummary& summary,
                     double aspect) {
  auto camera = choice.camera.value_or(present);
  if (choice.view) camera = view_of(summary, *choice.view, aspect);
  camera.zoom(choice.zoom);
  return camera;
}

}  // namespace orrery::app
