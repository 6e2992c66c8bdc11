#include "app/picture/light_options.h"

#include <fmt/format.h>

#include "render/tone_mapper.h"

namespace orrery::app {

namespace {

using sim::Option;
using sim::OptionKind;

Option shown(Option option, std::string label = {}) {
  option.group = "light";
  option.scope = sim::OptionScope::display;
  option.label = std::move(label);
  return option;
}

Option look_option() {
  return {
      .name = "look",
      .meaning =
          "The style of the picture. A choice sets options of light, stars and colours; each of them can "
          "be changed afterwards.",
      .kind = OptionKind::choice,
      .default_value = std::string("beautiful"),
      .choices = {"beautiful", "scientific", "print"},
      .choice_meanings = {"faint outskirts and bright cores together, dense regions glow",
                          "proportional up to white, no glow, no noise, speed in viridis: for measurements",
                          "dark on white, for paper"}};
}

Option exposure_option() {
  return {
      .name = "exposure",
      .meaning = "Brightness of the picture, counted from the automatic exposure. One stop more doubles it.",
      .unit = "stops",
      .kind = OptionKind::real,
      .default_value = 0.0,
      .minimum = -20.0,
      .maximum = 20.0};
}

Option automatic_option() {
  return {.name = "exposure-auto",
          .meaning =
              "The light in the picture decides the brightness, whatever is in view. Off: one brightness "
              "for the whole dataset, to compare pictures. Scenes of fewer than 100 bodies always have "
              "that.",
          .default_value = true};
}

std::string measured_anyway(const sim::Configuration& configuration) {
  return configuration.boolean("exposure-auto") ? "the exposure is measured: see exposure-auto"
                                                : std::string();
}

Option follows_zoom_option() {
  return {.name = "exposure-follows-zoom",
          .meaning = "The brightness stays when the camera comes nearer or goes away.",
          .default_value = true,
          .inactive = measured_anyway};
}

Option tone_curve_option() {
  Option option{.name = "tone-curve",
                .meaning = "How light becomes brightness on the screen.",
                .kind = OptionKind::choice,
                .default_value = std::string("asinh"),
                .choice_meanings = {"like film: bright cores become white", "like film, with more contrast",
                                    "proportional up to white: for measurements",
                                    "shows faint outskirts and bright cores together, and keeps colours"}};
  for (std::size_t i = 0; i < render::tone_curve_count; ++i)
    option.choices.emplace_back(render::tone_curve_name(static_cast<render::ToneStyle::Curve>(i)));
  return option;
}

Option paper_option() {
  return {.name = "paper", .meaning = "Dark bodies on a white ground, for paper.", .default_value = false};
}

Option glow_option() {
  return {.name = "glow",
          .meaning =
              "The part of the light that spreads widely, as in a telescope. It makes dense regions "
              "glow. Where bodies stand apart there is less of it. Use 0 for measurements.",
          .kind = OptionKind::real,
          .default_value = 0.35,
          .minimum = 0.0,
          .maximum = 1.0};
}

Option dither_option() {
  return {.name = "dither",
          .meaning = "A little noise, below one level of brightness. It avoids bands in a dark sky.",
          .default_value = true};
}

}  // namespace

void add_light_options(sim::OptionTable& table) {
  table.add(shown(look_option()));
  table.add(shown(exposure_option()));
  table.add(shown(automatic_option(), "Automatic exposure"));
  table.add(shown(follows_zoom_option()));
  table.add(shown(tone_curve_option()));
  table.add(shown(paper_option(), "Dark on white"));
  table.add(shown(glow_option()));
  table.add(shown(dither_option()));
}

std::vector<std::pair<std::string, sim::OptionValue>> look_settings(std::string_view look) {
  const auto text = [](const char* name) { return sim::OptionValue(std::string(name)); };
  if (look == "beautiful")
    return {{"exposure-auto", true},
            {"tone-curve", text("asinh")},
            {"paper", false},
            {"glow", 0.35},
            {"dither", true},
            {"sizes", text("adaptive")},
            {"starlight", text("populations")},
            {"star-spread", 1.0},
            {"star-colors", 1.0},
            {"star-ages", 1.0},
            {"color-mode", text("auto")},
            {"color-map", text("auto")}};
  if (look == "scientific")
    return {{"exposure-auto", true},
            {"tone-curve", text("linear")},
            {"paper", false},
            {"glow", 0.0},
            {"dither", false},
            {"sizes", text("fixed")},
            {"starlight", text("equal")},
            {"star-spread", 0.0},
            {"star-colors", 0.0},
            {"star-ages", 0.0},
            {"color-mode", text("speed")},
            {"color-map", text("viridis")}};
  if (look == "print")
    return {{"exposure-auto", true},
            {"tone-curve", text("asinh")},
            {"paper", true},
            {"glow", 0.0},
            {"dither", true},
            {"sizes", text("adaptive")},
            {"starlight", text("populations")},
            {"star-spread", 1.0},
            {"star-colors", 1.0},
            {"star-ages", 1.0},
            {"color-mode", text("auto")},
            {"color-map", text("auto")}};
  return {};
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
