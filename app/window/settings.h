#pragma once

#include <filesystem>
#include <glm/glm.hpp>
#include <map>
#include <string>
#include <vector>

#include "app/gui/theme.h"
#include "app/panels/panel_state.h"

namespace orrery::app {

/// Settings that persist between runs, in settings.json of the user's configuration folder.
struct Settings {
  glm::ivec2 window_size{1280, 720};
  float ui_scale = 1.0F;  ///< on top of the display's own scale
  Theme theme = Theme::dark;
  bool panel_visible = true;
  bool help_visible = false;
  bool small_window = false;    ///< no room for picture and panel; not kept between runs
  bool panel_unfolded = false;  ///< the panel is over a small window; not kept between runs
  bool projector = false;       ///< all text is enlarged for a room; not kept between runs
  PanelLayout panel;
  std::vector<std::string> recent;             ///< files that were opened, the newest first
  std::map<std::string, std::string> display;  ///< display options that the person set, as --set takes them

  /// True if the panel shows in a window like the present one. Small ones begin without it.
  bool& panel_shows() { return small_window ? panel_unfolded : panel_visible; }
};

/// True if a window of so many units would be mostly panel.
bool is_small(glm::vec2 window, float content_scale);

/// The scale of texts and widgets, on top of the display's own: the person's, and a projector's on that.
float text_scale(const Settings& settings);

/// The next larger (1) or smaller (-1) scale of the interface, or the usual one (0).
float next_ui_scale(float scale, int direction);

inline constexpr float least_ui_scale = 0.5F, largest_ui_scale = 4.0F;

/// Reads the settings. Defaults if there is no file, and with a line in `problem` if the file is damaged or
/// cannot be read; a damaged file is kept under another name. Values out of range are ignored.
Settings read_settings(std::string& problem);
/// Creates the folder if need be. Why it failed, in one line, which is no reason to stop; empty if it did
/// not.
std::string write_settings(const Settings& settings);

/// Writes the settings; a failure is logged.
void keep_settings(const Settings& settings);

/// Puts a file to the front of the recent ones.
void note_recent(Settings& settings, const std::filesystem::path& file);

}  // namespace orrery::app
