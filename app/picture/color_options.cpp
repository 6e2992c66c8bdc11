#include "app/picture/color_options.h"

#include <array>
#include <string>

#include "app/picture/picture_options.h"
#include "render/color_maps/color_space.h"
#include "render/color_modes/color_mode.h"
#include "sim/options/describe.h"

namespace orrery::app {

namespace {

struct NamedColor {
  const char* name;
  const char* meaning;
  glm::vec3 srgb;
};
constexpr std::array named_colors{NamedColor{"red", "red", {1.0F, 0.15F, 0.10F}},
                                  NamedColor{"orange", "orange", {1.0F, 0.55F, 0.0F}},
                                  NamedColor{"yellow", "yellow", {1.0F, 0.95F, 0.2F}},
                                  NamedColor{"green", "green", {0.2F, 0.9F, 0.3F}},
                                  NamedColor{"cyan", "cyan", {0.1F, 0.85F, 0.95F}},
                                  NamedColor{"blue", "blue", {0.2F, 0.35F, 1.0F}},
                                  NamedColor{"magenta", "magenta", {0.95F, 0.2F, 0.9F}},
                                  NamedColor{"white", "white", {1.0F, 1.0F, 1.0F}},
                                  NamedColor{"gray", "gray", {0.5F, 0.5F, 0.5F}},
                                  NamedColor{"hidden", "no light: not visible", {0.0F, 0.0F, 0.0F}}};

std::string has_no_range(const sim::Configuration& configuration) {
  const auto* mode = render::find_color_mode(sim::read_member(configuration, &PictureOptions::color_mode));
  if (mode != nullptr && mode->is_color) return "the file sets the colours of the bodies";
  if (mode == nullptr || mode->categorical) return "components have colours of their own";
  return mode->fixed_range ? "no value lies outside the map" : "";
}

sim::Option outside_option(std::string name, std::string label, std::string meaning, std::string usual) {
  auto option = sim::shown(std::move(name), "colour", std::move(label), std::move(meaning));
  option.kind = sim::OptionKind::choice;
  option.default_value = std::string("map");
  option.choices = {"map"};
  option.choice_meanings = {std::move(usual)};
  for (const auto& color : named_colors) {
    option.choices.emplace_back(color.name);
    option.choice_meanings.emplace_back(color.meaning);
  }
  option.inactive = has_no_range;
  return option;
}

struct OutsideOptions {
  std::string under, over, nan;
};
template <typename Visit>
void for_each_value(OutsideOptions& options, const Visit& visit) {
  visit("color-under", options.under);
  visit("color-over", options.over);
  visit("color-nan", options.nan);
}

/// 0 for the map's own colour.
glm::vec4 color_named(const std::string& name) {
  for (const auto& color : named_colors)
    if (name == color.name) return {render::srgb_decode(color.srgb), 1.0F};
  return glm::vec4(0.0F);
}

}  // namespace

void add_outside_color_options(sim::OptionTable& table) {
  table.add(outside_option("color-under", "Colour below",
                           "The colour of values below the lower end of the colour bar.",
                           "the colour of the lower end"));
  table.add(outside_option("color-over", "Colour above",
                           "The colour of values above the upper end of the colour bar.",
                           "the colour of the upper end"));
  table.add(outside_option("color-nan", "Colour of no number",
                           "The colour of bodies whose value is not a number.",
                           "the colour of the lower end"));
}

void set_outside_colors(render::BodyStyle& style, const sim::Configuration& configuration) {
  const auto options = sim::read_group<OutsideOptions>(configuration);
  style.outside = {color_named(options.under), color_named(options.over), color_named(options.nan)};
}

}  // namespace orrery::app
