#include "app/picture/overlay_options.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace orrery::app {

namespace {

using sim::Option;
using sim::OptionKind;

constexpr float reference_height = 720.0F;
constexpr float smallest_text = 9.0F;

Option shown(Option option, std::string label) {
  option.group = "overlay";
  option.scope = sim::OptionScope::display;
  option.label = std::move(label);
  return option;
}

Option text_size_option() {
  return {.name = "text-size",
          .meaning =
              "The height of a line of text in a picture 720 pixels high. Larger pictures have larger "
              "texts.",
          .unit = "pixels",
          .kind = OptionKind::real,
          .default_value = 15.0,
          .minimum = 6.0,
          .maximum = 60.0};
}

Option scale_bar_option() {
  return {.name = "scale-bar",
          .meaning =
              "Shows a round length in the picture. It holds at the distance of what the camera looks "
              "at.",
          .kind = OptionKind::choice,
          .default_value = std::string("auto"),
          .choices = {"auto", "on", "off"},
          .choice_meanings = {"together with the legend", "always", "never"}};
}

Option axes_option() {
  return {.name = "axes",
          .meaning = "Shows where x, y and z are.",
          .kind = OptionKind::choice,
          .default_value = std::string("off"),
          .choices = {"off", "corner", "box"},
          .choice_meanings = {"no axes", "three arrows in the corner",
                              "a box with numbers around the scene; several galaxies: the arrows"}};
}

/// "auto", "none", and names of units.
Option unit_option(std::string name, std::string meaning, std::vector<std::string> units) {
  Option option{.name = std::move(name), .meaning = std::move(meaning), .kind = OptionKind::choice};
  option.choices = {"auto", "none"};
  option.choice_meanings = {"what the dataset states", "no unit is written"};
  for (auto& unit : units) {
    option.choice_meanings.push_back("1 is 1 " + unit);
    option.choices.push_back(std::move(unit));
  }
  option.default_value = option.choices.front();
  return option;
}

double chosen(const std::string& choice, double dataset, double (*size)(std::string_view name)) {
  return choice == "auto" ? dataset : size(choice);
}

}  // namespace

void add_overlay_options(sim::OptionTable& table) {
  table.add(shown(text_size_option(), "Text size"));
  table.add(shown(scale_bar_option(), "Scale bar"));
  table.add(shown(axes_option(), "Axes"));
  table.add(shown(
      unit_option("length-unit", "What a length of 1 is in this dataset, for scale bar, axes and legend.",
                  {"m", "km", "AU", "pc", "kpc", "Mpc"}),
      "Unit of length"));
  table.add(shown(unit_option("time-unit", "What a time of 1 is in this dataset, for clock and legend.",
                              {"s", "h", "d", "yr", "kyr", "Myr", "Gyr"}),
                  "Unit of time"));
}

sim::PhysicalUnits shown_units(const sim::Configuration& configuration, const sim::PhysicalUnits& dataset) {
  return {.length = chosen(configuration.choice("length-unit"), dataset.length, sim::length_unit),
          .time = chosen(configuration.choice("time-unit"), dataset.time, sim::time_unit),
          .mass = dataset.mass};
}

bool shows_scale_bar(const sim::Configuration& configuration) {
  const auto& choice = configuration.choice("scale-bar");
  return choice == "on" || (choice == "auto" && configuration.boolean("legend"));
}

float text_pixels(const sim::Configuration& configuration, float width, float height) {
  const auto size = static_cast<float>(configuration.real("text-size"));
  const float counted = std::min(height, 0.75F * width);
  return std::max(std::round(size * counted / reference_height), smallest_text);
}

}  // namespace orrery::app
