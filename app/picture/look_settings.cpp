#include "app/picture/look_settings.h"

#include <fmt/format.h>

namespace orrery::app {

namespace {

/// An option that looks set, and its value in each.
struct Setting {
  const char* name;
  sim::OptionValue beautiful, scientific, print;
};

sim::OptionValue text(const char* value) { return std::string(value); }

const std::vector<Setting>& settings() {
  static const std::vector<Setting> all{
      {"tone-curve", text("asinh"), text("linear"), text("asinh")},
      {"paper", false, false, true},
      {"glow", 0.35, 0.0, 0.0},
      {"dither", true, false, true},
      {"sizes", text("adaptive:0.75:100"), text("fixed"), text("adaptive:0.75:100")},
      {"starlight", text("populations"), text("equal"), text("populations")},
      {"star-variation", text("1:1:1"), text("0:0:0"), text("1:1:1")},
      {"star-formation", 1.0, 0.0, 1.0},
      {"dust", text("0.7:0.3"), text("0:0.3"), text("0:0.3")},
      {"star-field", text("0.8:20000"), text("0:20000"), text("0:20000")},
      {"color-mode", text("auto"), text("speed"), text("auto")},
      {"color-map", text("auto"), text("viridis"), text("auto")}};
  return all;
}

}  // namespace

std::vector<std::pair<std::string, sim::OptionValue>> look_settings(std::string_view look) {
  auto Setting::*const value = look == "beautiful"    ? &Setting::beautiful
                               : look == "scientific" ? &Setting::scientific
                               : look == "print"      ? &Setting::print
                                                      : nullptr;
  std::vector<std::pair<std::string, sim::OptionValue>> all;
  if (value == nullptr) return all;
  for (const auto& setting : settings()) all.emplace_back(setting.name, setting.*value);
  return all;
}

std::vector<std::string> with_looks(const std::vector<std::string>& assignments) {
  constexpr std::string_view prefix = "look=";
  std::vector<std::string> all;
  for (const auto& assignment : assignments) {
    all.push_back(assignment);
    if (!assignment.starts_with(prefix)) continue;
    for (const auto& [name, value] : look_settings(std::string_view(assignment).substr(prefix.size())))
      all.push_back(fmt::format("{}={}", name, sim::to_string(value)));
  }
  return all;
}

}  // namespace orrery::app
