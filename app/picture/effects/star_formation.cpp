#include "render/effects/star_formation.h"

#include <cmath>

#include "app/picture/stellar_populations.h"
#include "effects.h"
#include "render/color_maps/color_space.h"
#include "render/color_modes/color_mode.h"
#include "sim/options/describe.h"

namespace orrery::app {

namespace {

constexpr const char* option_name = "star-formation";
constexpr auto disk_component = static_cast<std::size_t>(sim::Component::disk);
constexpr auto gas_component = static_cast<std::size_t>(sim::Component::gas);
/// The density of fewer is noise.
constexpr std::size_t fewest_bodies = 1000;
/// Half of the map's width, in half-light radii.
constexpr double length_of_map = 4.0;
/// Knots number so many times the square root of the disk's bodies, and have these parts of the young light
/// where the disk is densest.
constexpr float pink_number = 4.0F, pink_light = 0.08F, blue_number = 8.0F, blue_light = 0.25F;
/// Ionized hydrogen (H alpha and some blue), linear RGB.
constexpr glm::vec3 pink_color{1.0F, 0.16F, 0.32F};

void add_star_formation_options(sim::OptionTable& table) {
  table.add(
      sim::shown(option_name, "bodies", "Blue arms",
                 "How much the light of a disk's young stars follows its density, with pink and blue knots: "
                 "a picture of where stars would form, not computed by the simulation. The light of all "
                 "stays. Disks of 1000 bodies or more, in the colours of components.")
          .initially(1.0)
          .within(0.0, 1.0));
}

glm::vec4 knots_of(float bodies) {
  const float root = std::sqrt(bodies);
  const float pink = pink_number / root, blue = blue_number / root;
  return {pink, pink_light / pink, blue, blue_light / blue};
}

class StarFormationPass final : public EffectPass {
 public:
  render::BodyEffect* on_bodies(const Look& look, const SceneSummary& summary,
                                const render::BodyStyle& style) override {
    const auto strength = static_cast<float>(look.configuration.real(option_name));
    const auto bodies = summary.components.at(disk_component);
    const bool natural = style.color_mode == render::color_modes().front()->name;
    if (strength <= 0.0F || bodies < fewest_bodies || summary.galaxies > 1 || !natural) return nullptr;
    const auto& light = summary.luminous;
    if (!(light.half_radius > 0.0)) return nullptr;
    auto& forming = stars_.style;
    forming.middle = glm::vec3(light.center);
    forming.normal = glm::normalize(glm::vec3(light.spin));
    forming.length = static_cast<float>(length_of_map * light.half_radius);
    forming.counted = {};
    forming.counted.at(disk_component) = forming.counted.at(old_disk) = forming.counted.at(gas_component) =
        true;
    forming.young = static_cast<std::uint32_t>(disk_component);
    forming.older = over_young(style, style.palette.at(old_disk));
    forming.pink = over_young(style, pink_color);
    forming.disk_bodies = static_cast<float>(bodies + summary.components.at(gas_component));
    forming.knots = knots_of(static_cast<float>(bodies));
    forming.strength = strength;
    return &stars_;
  }

 private:
  /// A colour over that of young stars, with their luminance.
  static glm::vec3 over_young(const render::BodyStyle& style, const glm::vec3& color) {
    const auto& young = style.palette.at(disk_component);
    return color * (render::luminance(young) / render::luminance(color)) / young;
  }

  render::StarFormation stars_;
};

std::unique_ptr<EffectPass> make_star_formation_pass() { return std::make_unique<StarFormationPass>(); }

}  // namespace

const Effect star_formation_effect{
    .name = option_name, .add_options = add_star_formation_options, .make_pass = make_star_formation_pass};

}  // namespace orrery::app
