#include "app/picture/dust_options.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "render/color_modes/color_mode.h"
#include "sim/options/describe.h"

namespace orrery::app {

namespace {

/// Bodies whose dust overlaps at a place around the half-mass radius: fewer make spots of it, more a blur.
constexpr double overlapping = 40.0;
/// Limits of the standard deviation of one body's dust, in half-mass radii.
constexpr double least_spread = 0.005;
constexpr double most_spread = 0.15;

}  // namespace

void add_dust_options(sim::OptionTable& table) {
  table.add(sim::formed(
      sim::shown(
          "dust", "light", "Dust",
          "How much light the dust in a disk absorbs, blue more than red. DEPTH is the optical depth in "
          "green light, face-on, on average over the inner half of the disk; 0: none. HEIGHT is that of "
          "the layer of dust over that of the disk. In scenes of one disk galaxy."),
      {{.word = "",
        .numbers = {{.name = "DEPTH", .minimum = 0.0, .maximum = 20.0},
                    {.name = "HEIGHT", .default_value = 0.3, .minimum = 0.05, .maximum = 1.0}},
        .meaning = ""}}));
}

void set_dust_style(render::BodyStyle& style, const sim::Configuration& configuration,
                    const SceneSummary& summary) {
  const auto& disk = summary.disk;
  const auto option = configuration.form("dust");
  const double depth = option.number(0);
  if (depth <= 0.0 || disk.bodies == 0 || !(disk.half_radius > 0.0)) return;
  auto& dust = style.dust;
  const auto bodies = static_cast<double>(disk.bodies);
  const double inner = std::numbers::pi * disk.half_radius * disk.half_radius;
  dust.cross_section = static_cast<float>(depth * inner / (0.5 * bodies));
  std::ranges::copy(disk.components, dust.carried.begin());
  dust.middle = glm::vec3(disk.center);
  dust.normal = glm::vec3(disk.axis);
  dust.height = static_cast<float>(option.number(1));
  // Around the half-mass radius a Gaussian of this width holds that many bodies: 4 pi s^2 n = overlapping.
  const double spread = std::sqrt(overlapping / (2.0 * bodies));
  dust.spread = static_cast<float>(std::clamp(spread, least_spread, most_spread) * disk.half_radius);
  dust.radius = static_cast<float>(disk.radius);
  dust.thickness = dust.height * static_cast<float>(disk.thickness);
  if (style.color_mode != render::color_modes().front()->name) dust.reddening = glm::vec3(1.0F);
}

}  // namespace orrery::app
