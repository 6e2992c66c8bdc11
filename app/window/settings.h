#pragma once

#include <filesystem>
#include <glm/glm.hpp>
#include <string>

namespace orrery::app {

/// What persists between runs, in settings.json of the user's configuration folder.
struct Settings {
  glm::ivec2 window_size{1280, 720};
  float ui_scale = 1.0F;  ///< on top of the display's own scale
  bool panel_visible = true;
  bool help_visible = false;
};

/// Defaults where there is no file. Where it is damaged or cannot be read too, and `problem` says so. Values
/// out of range are ignored.
Settings read_settings(std::string& problem);
/// Creates the folder if need be. A failure is no reason to stop: false.
bool write_settings(const Settings& settings);

}  // namespace orrery::app
