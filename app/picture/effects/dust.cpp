#include "render/effects/dust.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/picture/stellar_populations.h"
#include "effects.h"
#include "render/color_modes/color_mode.h"
#include "sim/options/describe.h"

namespace orrery::app {

namespace {

constexpr const char* option_name = "dust";
/// Fewer would make spots of it.
constexpr std::size_t fewest_bodies = 1000;
/// Bodies whose dust overlaps at a place around the half-mass radius: fewer make spots of it, more a blur.
constexpr double overlapping = 40.0;
/// Limits of the standard deviation of one body's dust, in half-mass radii.
constexpr double least_spread = 0.005;
constexpr double most_spread = 0.15;

void add_dust_options(sim::OptionTable& table) {
  table.add(
      sim::shown(
          option_name, "light", "Dust",
          "How much light the dust in a disk absorbs, blue more than red. DEPTH is the optical depth in "
          "green light, face-on, on average over the inner half of the disk; 0: none. HEIGHT is that of "
          "the layer of dust over that of the disk. In scenes of one disk galaxy.")
          .numbered({sim::number("DEPTH", 0.7, 0.0, 20.0), sim::number("HEIGHT", 0.3, 0.05, 1.0)}));
}

/// How much of it there is, and where, in a scene with a disk.
render::DustStyle dust_in(const DiskShape& disk, double depth, double height) {
  render::DustStyle dust;
  const auto bodies = static_cast<double>(disk.bodies);
  const double inner = std::numbers::pi * disk.half_radius * disk.half_radius;
  dust.cross_section = static_cast<float>(depth * inner / (0.5 * bodies));
  std::ranges::copy(disk.components, dust.carried.begin());
  dust.carried[old_disk] = dust.carried[static_cast<std::size_t>(sim::Component::disk)];
  dust.middle = glm::vec3(disk.center);
  dust.normal = glm::vec3(disk.axis);
  dust.height = static_cast<float>(height);
  // Around the half-mass radius a Gaussian of this width holds that many bodies: 4 pi s^2 n = overlapping.
  const double spread = std::sqrt(overlapping / (2.0 * bodies));
  dust.spread = static_cast<float>(std::clamp(spread, least_spread, most_spread) * disk.half_radius);
  dust.radius = static_cast<float>(disk.radius);
  dust.thickness = dust.height * static_cast<float>(disk.thickness);
  return dust;
}

class DustPass final : public EffectPass {
 public:
  render::BodyEffect* on_bodies(const Look& look, const SceneSummary& summary,
                                const render::BodyStyle& style) override {
    const auto& disk = summary.disk;
    const auto option = look.configuration.form(option_name);
    const double depth = option.number(0);
    if (depth <= 0.0 || disk.bodies < fewest_bodies || !(disk.half_radius > 0.0)) return nullptr;
    dust_.style = dust_in(disk, depth, option.number(1));
    // It makes no colours redder that stand for values.
    if (style.color_mode != render::color_modes().front()->name) dust_.style.reddening = glm::vec3(1.0F);
    return &dust_;
  }

 private:
  render::Dust dust_;
};

std::unique_ptr<EffectPass> make_dust_pass() { return std::make_unique<DustPass>(); }

}  // namespace

const Effect dust_effect{.name = option_name, .add_options = add_dust_options, .make_pass = make_dust_pass};

}  // namespace orrery::app
