#include "app/picture/overlay_options.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "app/picture/picture_options.h"
#include "sim/options/describe.h"

namespace orrery::app {

namespace {

constexpr float reference_height = 720.0F;
constexpr float smallest_text = 9.0F;

struct OverlayOptions {
  double text_size = 0.0;
  std::string scale_bar, length_unit, time_unit;
};
template <typename Visit>
void for_each_value(OverlayOptions& options, const Visit& visit) {
  visit("text-size", options.text_size);
  visit("scale-bar", options.scale_bar);
  visit("length-unit", options.length_unit);
  visit("time-unit", options.time_unit);
}

/// "auto", "none", and names of units.
sim::Option unit_option(sim::Option option, const std::vector<std::string>& units) {
  std::vector<std::string> names{"auto", "none"}, meanings{"what the dataset states", "no unit is written"};
  for (const auto& unit : units) {
    names.push_back(unit);
    meanings.push_back("1 is 1 " + unit);
  }
  return sim::chosen(std::move(option), std::move(names), std::move(meanings));
}

double size_of(const std::string& choice, double dataset, double (*size)(std::string_view name)) {
  return choice == "auto" ? dataset : size(choice);
}

}  // namespace

void add_overlay_options(sim::OptionTable& table) {
  table.add(sim::real(
      sim::shown("text-size", "overlay", "Text size",
                 "Height of a line of text in a picture 720 pixels high. Larger pictures have larger texts."),
      15.0, 6.0, 60.0, "pixels"));
  table.add(sim::chosen(
      sim::shown("scale-bar", "overlay", "Scale bar",
                 "Shows a scale bar of round length, valid at the distance of the camera's target."),
      {"auto", "on", "off"}, {"together with the legend", "always", "never"}));
  table.add(sim::chosen(sim::shown("axes", "overlay", "Axes", "Shows the directions of x, y and z."),
                        {"off", "corner", "box"},
                        {"no axes", "three arrows in the corner",
                         "a box with numbers around the scene; several galaxies: the arrows"}));
  table.add(unit_option(sim::shown("length-unit", "overlay", "Unit of length",
                                   "The dataset's unit of length, for scale bar, axes and legend."),
                        {"m", "km", "AU", "pc", "kpc", "Mpc"}));
  table.add(unit_option(
      sim::shown("time-unit", "overlay", "Unit of time", "The dataset's unit of time, for clock and legend."),
      {"s", "h", "d", "yr", "kyr", "Myr", "Gyr"}));
}

sim::PhysicalUnits shown_units(const sim::Configuration& configuration, const sim::PhysicalUnits& dataset) {
  const auto options = sim::read_group<OverlayOptions>(configuration);
  return {.length = size_of(options.length_unit, dataset.length, sim::length_unit),
          .time = size_of(options.time_unit, dataset.time, sim::time_unit),
          .mass = dataset.mass};
}

bool shows_scale_bar(const sim::Configuration& configuration) {
  const auto choice = sim::read_member(configuration, &OverlayOptions::scale_bar);
  return choice == "on" || (choice == "auto" && sim::read_member(configuration, &PictureOptions::legend));
}

float text_pixels(const sim::Configuration& configuration, float width, float height) {
  const auto size = static_cast<float>(sim::read_member(configuration, &OverlayOptions::text_size));
  const float counted = std::min(height, 0.75F * width);
  return std::max(std::round(size * counted / reference_height), smallest_text);
}

}  // namespace orrery::app
