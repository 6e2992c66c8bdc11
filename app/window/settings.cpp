#include "app/window/settings.h"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "app/gui/gui.h"
#include "app/log.h"
#include "lab/setup/paths.h"
#include "sim/core/error.h"
#include "sim/core/file_writer.h"
#include "sim/core/json_text.h"
#include "sim/core/text_file.h"

namespace orrery::app {

namespace {

using nlohmann::json;

constexpr std::size_t most_recent = 12;

std::filesystem::path settings_file() { return lab::settings_folder() / "settings.json"; }

/// The member if it is there and of the kind of `otherwise`.
template <typename Value>
Value member(const json& object, const char* name, const Value& otherwise) {
  const auto at = object.find(name);
  return at == object.end() ? otherwise : at->get<Value>();
}

PanelLayout layout_from_json(const json& object) {
  PanelLayout layout;
  layout.tab = member(object, "tab", layout.tab);
  const float width = member(object, "width", layout.width);
  if (width >= PanelLayout::least_width && width <= 2000.0F) layout.width = width;
  layout.sections = member(object, "sections", layout.sections);
  layout.plots = member(object, "plots", layout.plots);
  return layout;
}

Settings from_json(const json& object) {
  Settings settings;
  const glm::ivec2 size{member(object, "window_width", 0), member(object, "window_height", 0)};
  if (size.x >= 320 && size.y >= 240 && size.x <= 16384 && size.y <= 16384) settings.window_size = size;
  const float scale = member(object, "ui_scale", 1.0F);
  if (scale >= least_ui_scale && scale <= largest_ui_scale) settings.ui_scale = scale;
  settings.theme = theme_of(member(object, "theme", std::string(name_of(settings.theme))));
  settings.panel_visible = member(object, "panel_visible", true);
  settings.help_visible = member(object, "help_visible", false);
  settings.recent = member(object, "recent", settings.recent);
  if (settings.recent.size() > most_recent) settings.recent.resize(most_recent);
  settings.display = member(object, "display", settings.display);
  if (const auto at = object.find("panel"); at != object.end()) settings.panel = layout_from_json(*at);
  return settings;
}

json to_json(const Settings& settings) {
  return {{"window_width", settings.window_size.x},
          {"window_height", settings.window_size.y},
          {"ui_scale", settings.ui_scale},
          {"theme", name_of(settings.theme)},
          {"panel_visible", settings.panel_visible},
          {"help_visible", settings.help_visible},
          {"recent", settings.recent},
          {"display", settings.display},
          {"panel",
           {{"tab", settings.panel.tab},
            {"width", settings.panel.width},
            {"sections", settings.panel.sections},
            {"plots", settings.panel.plots}}}};
}

/// The person may want to fix it, and the next end of the program writes a new one.
std::string put_aside() {
  auto aside = settings_file();
  aside += ".damaged";
  std::error_code failure;
  std::filesystem::rename(settings_file(), aside, failure);
  const auto where = failure ? std::string() : fmt::format("; it is kept as {}", aside.filename().string());
  return fmt::format("the settings in {} are damaged: the usual ones are used{}", settings_file().string(),
                     where);
}

}  // namespace

Settings read_settings(std::string& problem) try {
  std::error_code failure;
  if (!std::filesystem::exists(settings_file(), failure)) return {};
  const auto object = sim::json_in(sim::read_text_file(settings_file()));
  if (object.is_object()) return from_json(object);
  problem = put_aside();
  return {};
} catch (const json::exception&) {
  problem = put_aside();
  return {};
} catch (const sim::Error& error) {
  problem = std::string("the usual settings are used: ") + error.what();
  return {};
}

std::string write_settings(const Settings& settings) try {
  if (lab::settings_folder().empty()) return "the settings cannot be kept: there is no home folder; set HOME";
  lab::make_folder(lab::settings_folder());
  // Names of files need not be UTF-8.
  const auto text = sim::dump_json(to_json(settings), 2);
  sim::write_file(settings_file(), text + "\n");
  return {};
} catch (const sim::Error& error) {
  return std::string("the settings cannot be kept: ") + error.what();
}

void keep_settings(const Settings& settings) {
  if (const auto problem = write_settings(settings); !problem.empty()) log_warning(problem);
}

bool is_small(glm::vec2 window, float content_scale) {
  return is_narrow(window, content_scale) || is_low(window, content_scale);
}

float text_scale(const Settings& settings) {
  constexpr float for_a_room = 1.6F;
  return settings.ui_scale * (settings.projector ? for_a_room : 1.0F);
}

float next_ui_scale(float scale, int direction) {
  constexpr std::array scales{0.5F,  0.6F, 0.7F,  0.8F, 0.9F, 1.0F, 1.1F,
                              1.25F, 1.5F, 1.75F, 2.0F, 2.5F, 3.0F, 4.0F};
  if (direction == 0) return 1.0F;
  // Scales of a settings file may lie between these.
  constexpr float hair = 1e-3F;
  float next = scale;
  if (direction > 0) {
    for (const float each : scales)
      if (each > scale + hair) return each;
  } else {
    for (const float each : scales)
      if (each < scale - hair) next = each;
  }
  return next;
}

void note_recent(Settings& settings, const std::filesystem::path& file) {
  std::error_code failure;
  const auto absolute = std::filesystem::absolute(file, failure);
  const auto name = (failure ? file : absolute.lexically_normal()).string();
  std::erase(settings.recent, name);
  settings.recent.insert(settings.recent.begin(), name);
  if (settings.recent.size() > most_recent) settings.recent.resize(most_recent);
}

}  // namespace orrery::app
