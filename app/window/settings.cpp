#include "app/window/settings.h"

#include <nlohmann/json.hpp>

#include "lab/setup/paths.h"
#include "sim/core/error.h"
#include "sim/core/file_writer.h"
#include "sim/core/text_file.h"

namespace orrery::app {

namespace {

std::filesystem::path settings_file() { return lab::settings_folder() / "settings.json"; }

Settings from_json(const nlohmann::json& json) {
  Settings settings;
  const glm::ivec2 size{json.value("window_width", 0), json.value("window_height", 0)};
  if (size.x >= 320 && size.y >= 240 && size.x <= 16384 && size.y <= 16384) settings.window_size = size;
  const float scale = json.value("ui_scale", 1.0F);
  if (scale >= 0.5F && scale <= 4.0F) settings.ui_scale = scale;
  settings.panel_visible = json.value("panel_visible", true);
  settings.help_visible = json.value("help_visible", false);
  return settings;
}

}  // namespace

Settings read_settings(std::string& problem) try {
  std::error_code failure;
  if (!std::filesystem::exists(settings_file(), failure)) return {};
  const auto json = nlohmann::json::parse(sim::read_text_file(settings_file()), nullptr, false);
  if (json.is_object()) return from_json(json);
  problem = "the settings are damaged; the usual ones are used";
  return {};
} catch (const nlohmann::json::exception&) {
  problem = "the settings are damaged; the usual ones are used";
  return {};
} catch (const sim::Error& error) {
  problem = std::string("the usual settings are used: ") + error.what();
  return {};
}

bool write_settings(const Settings& settings) try {
  if (lab::settings_folder().empty()) return false;
  lab::make_folder(lab::settings_folder());
  const nlohmann::json json{{"window_width", settings.window_size.x},
                            {"window_height", settings.window_size.y},
                            {"ui_scale", settings.ui_scale},
                            {"panel_visible", settings.panel_visible},
                            {"help_visible", settings.help_visible}};
  sim::write_file(settings_file(), json.dump(2) + "\n");
  return true;
} catch (const sim::Error&) {
  return false;
}

}  // namespace orrery::app
