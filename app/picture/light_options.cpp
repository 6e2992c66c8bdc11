#include "app/picture/light_options.h"

#include <fmt/format.h>

#include "app/picture/picture_options.h"
#include "render/light/tone_mapper.h"
#include "sim/options/describe.h"

namespace orrery::app {

namespace {

using sim::Option;

Option light_option(std::string name, std::string label, std::string meaning) {
  return sim::shown(std::move(name), "light", std::move(label), std::move(meaning));
}

Option look_option() {
  return sim::chosen(
      light_option(
          "look", "",
          "The style of the picture. A choice sets options of light, stars and colours; each of them "
          "can be changed afterwards."),
      {"beautiful", "scientific", "print"},
      {"faint outskirts and bright cores together, dense regions glow",
       "proportional up to white, no glow, no noise, speed in viridis: for measurements",
       "dark on white, for paper"});
}

Option exposure_option() {
  const std::vector<sim::FormNumber> stops{
      {.name = "STOPS", .minimum = -20.0, .maximum = 20.0, .unit = "stops"}};
  return sim::formed(
      light_option("exposure", "",
                   "Brightness of the picture, with a correction in stops: one stop more doubles it. STOPS "
                   "alone means auto:STOPS. Scenes of fewer than 100 bodies always use a fixed brightness."),
      {{.word = "auto", .numbers = stops, .meaning = "adapts to the light in view"},
       {.word = "fixed",
        .numbers = stops,
        .meaning = "one brightness for the whole dataset, to compare pictures"}});
}

Option tone_curve_option() {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < render::tone_curve_count; ++i)
    names.emplace_back(render::tone_curve_name(static_cast<render::ToneStyle::Curve>(i)));
  auto option = sim::chosen(
      light_option("tone-curve", "", "Tone curve from light to brightness on the screen."), std::move(names),
      {"like film: bright cores become white", "like film, with more contrast",
       "proportional up to white: for measurements",
       "shows faint outskirts and bright cores together, and keeps colours"});
  option.default_value = std::string("asinh");
  return option;
}

}  // namespace

void add_light_options(sim::OptionTable& table) {
  table.add(look_option());
  table.add(exposure_option());
  table.add(tone_curve_option());
  table.add(
      sim::flag(light_option("paper", "Dark on white", "Dark bodies on a white ground, for paper."), false));
  table.add(sim::real(light_option("glow", "",
                                   "Fraction of the light that spreads widely, as in a telescope: dense "
                                   "regions glow, less so where bodies stand apart. Use 0 for measurements."),
                      0.35, 0.0, 1.0));
  table.add(
      sim::flag(light_option("dither", "",
                             "Adds noise below one level of brightness, which avoids bands in a dark sky."),
                true));
}

bool exposure_is_automatic(const sim::Configuration& configuration) {
  return sim::read_member(configuration, &PictureOptions::exposure).word == "auto";
}

std::vector<std::pair<std::string, sim::OptionValue>> look_settings(std::string_view look) {
  const auto text = [](const char* name) { return sim::OptionValue(std::string(name)); };
  if (look == "beautiful")
    return {{"tone-curve", text("asinh")},
            {"paper", false},
            {"glow", 0.35},
            {"dither", true},
            {"sizes", text("adaptive:0.75:100")},
            {"starlight", text("populations")},
            {"star-spread", 1.0},
            {"star-colors", 1.0},
            {"star-ages", 1.0},
            {"star-formation", 1.0},
            {"dust", text("0.7:0.3")},
            {"star-field", text("0.8:20000")},
            {"color-mode", text("auto")},
            {"color-map", text("auto")}};
  if (look == "scientific")
    return {{"tone-curve", text("linear")},
            {"paper", false},
            {"glow", 0.0},
            {"dither", false},
            {"sizes", text("fixed")},
            {"starlight", text("equal")},
            {"star-spread", 0.0},
            {"star-colors", 0.0},
            {"star-ages", 0.0},
            {"star-formation", 0.0},
            {"dust", text("0:0.3")},
            {"star-field", text("0:20000")},
            {"color-mode", text("speed")},
            {"color-map", text("viridis")}};
  if (look == "print")
    return {{"tone-curve", text("asinh")},
            {"paper", true},
            {"glow", 0.0},
            {"dither", true},
            {"sizes", text("adaptive:0.75:100")},
            {"starlight", text("populations")},
            {"star-spread", 1.0},
            {"star-colors", 1.0},
            {"star-ages", 1.0},
            {"star-formation", 1.0},
            {"dust", text("0:0.3")},
            {"star-field", text("0:20000")},
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
