#include "app/picture/dust_options.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "render/color_mode.h"

namespace orrery::app {

namespace {

/// Bodies whose dust overlaps at a place around the half-mass radius: fewer make spots of it, more a blur.
constexpr double overlapping = 40.0;
/// How far the dust of a body is spread, in half-mass radii.
constexpr double least_spread = 0.005;
constexpr double most_spread = 0.15;

std::string no_dust(const sim::Configuration& configuration) {
  return configuration.real("dust") > 0.0 ? std::string() : "there is no dust: set dust";
}

}  // namespace

void add_dust_options(sim::OptionTable& table) {
  sim::Option dust{
      .name = "dust",
      .group = "light",
      .meaning =
          "How much light the dust in a disk absorbs, blue more than red. It is the optical depth "
          "in green light, face-on, on average over the inner half of the disk. 0: none. In scenes "
          "of one disk galaxy."};
  dust.label = "Dust";
  dust.scope = sim::OptionScope::display;
  dust.kind = sim::OptionKind::real;
  dust.default_value = 0.0;
  dust.minimum = 0.0;
  dust.maximum = 20.0;
  table.add(std::move(dust));
  sim::Option height{.name = "dust-height",
                     .group = "light",
                     .meaning = "The height of the layer of dust over that of the disk."};
  height.label = "Height of dust";
  height.scope = sim::OptionScope::display;
  height.kind = sim::OptionKind::real;
  height.default_value = 0.3;
  height.minimum = 0.05;
  height.maximum = 1.0;
  height.inactive = no_dust;
  table.add(std::move(height));
}

void set_dust_style(render::BodyStyle& style, const sim::Configuration& configuration,
                    const SceneSummary& summary) {
  const auto& disk = summary.disk;
  const double depth = configuration.real("dust");
  if (depth <= 0.0 || disk.bodies == 0 || !(disk.half_radius > 0.0)) return;
  auto& dust = style.dust;
  const auto bodies = static_cast<double>(disk.bodies);
  const double inner = std::numbers::pi * disk.half_radius * disk.half_radius;
  dust.cross_section = static_cast<float>(depth * inner / (0.5 * bodies));
  std::ranges::copy(disk.components, dust.carried.begin());
  dust.middle = glm::vec3(disk.center);
  dust.normal = glm::vec3(disk.axis);
  dust.height = static_cast<float>(configuration.real("dust-height"));
  // Around the half-mass radius a Gaussian of this width holds so many bodies: 4 pi s^2 n = overlapping.
  const double spread = std::sqrt(overlapping / (2.0 * bodies));
  dust.spread = static_cast<float>(std::clamp(spread, least_spread, most_spread) * disk.half_radius);
  dust.radius = static_cast<float>(disk.radius);
  dust.thickness = dust.height * static_cast<float>(disk.thickness);
  if (style.color_mode != render::color_modes().front()->name) dust.reddening = glm::vec3(1.0F);
}

}  // namespace orrery::app
