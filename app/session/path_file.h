#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "app/picture/scene_summary.h"
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

}  // namespace orrery::app
