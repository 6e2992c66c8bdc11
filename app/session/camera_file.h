#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "app/picture/scene_summary.h"
#include "render/picture/camera.h"
#include "render/picture/camera_path.h"

namespace orrery::app {

/// {"keys": [{"time": 0, "easing": "smooth", "camera": {...}}, ...]}, with cameras as states have them.
nlohmann::json to_json(const render::CameraPath& path);
/// The inverse. Throws sim::Error with one line, or what the JSON library throws where something is missing
/// or of the wrong kind.
render::CameraPath path_from_json(const nlohmann::json& entry);

/// The path of a JSON file: a path alone, or that of a state or a picture made by orrery. Throws sim::Error
/// with one line, sim::UsageError if there is no such file.
render::CameraPath read_path(const std::filesystem::path& path);

/// Names of the built-in paths: "orbit", "fly-through".
bool is_path_preset(const std::string& name);
/// A built-in path that begins at a camera.
render::CameraPath preset_path(const std::string& name, const render::Camera& camera,
                               const SceneSummary& summary, double seconds);

/// The camera in the form of states and pictures: target, orientation_wxyz, distance, field_of_view
/// (radians), mode.
nlohmann::json to_json(const render::Camera& camera);
/// The inverse. Also reads a camera that is told by `position`: with `target` and an optional `up`, or with
/// `orientation_wxyz` and `distance`. field_of_view and mode may be missing. Throws sim::Error with one line,
/// or what the JSON library throws where something is missing or of the wrong kind.
render::Camera camera_from_json(const nlohmann::json& entry);

/// The camera of a JSON file: a camera alone, or a state with one; or that of a picture (PNG) made by orrery.
/// Throws sim::Error with one line, sim::UsageError if there is no such file.
render::Camera read_camera(const std::filesystem::path& path);

/// The camera options of the command line.
struct CameraChoice {
  std::optional<View> view;
  double zoom = 1.0;                     ///< the scene is this many times as large
  std::optional<render::Camera> camera;  ///< camera read from a file
};
/// Takes --view: the name of a view, or a file as read_camera. Throws sim::UsageError, and as read_camera.
void take_view(CameraChoice& choice, const std::string& text);
/// Reads the factor of --zoom. Throws sim::UsageError.
double parse_zoom(const std::string& text);
/// The camera that was asked for; where nothing says otherwise `present`, nearer by the zoom. `aspect` =
/// width / height of the picture.
render::Camera chosen_camera(const CameraChoice& choice, const render::Camera& present,
                             const SceneSummary& summary, double aspect);

}  // namespace orrery::app
