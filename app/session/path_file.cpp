#include "app/session/path_file.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "app/session/camera_file.h"
#include "app/session/state_file.h"
#include "sim/core/error.h"
#include "sim/core/json_text.h"
#include "sim/core/message.h"

namespace orrery::app {

using nlohmann::json;

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

}  // namespace orrery::app
