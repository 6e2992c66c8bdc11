#include <cmath>
#include <optional>
#include <string>

#include "effects.h"
#include "render/context/shader_constants.h"
#include "render/effects/distant_sources.h"
#include "sim/options/describe.h"

namespace orrery::app {

namespace {

constexpr const char* option_name = "star-field";

/// Width of a star at half of its brightness, as a part of the picture's height.
constexpr float star_width = 1.7F / 720.0F;
constexpr int stars_of_a_galaxy = 50;

std::string on_paper(const sim::Configuration& configuration) {
  return sim::read_group<LightOptions>(configuration).paper ? "stars would be specks on the paper" : "";
}

void add_star_field_options(sim::OptionTable& table) {
  table.add(
      sim::shown(
          option_name, "light", "Star field",
          "Faint stars and galaxies far behind everything, for the eye: they are no data, turn with the "
          "camera, "
          "and do not count for the exposure. BRIGHTNESS is a factor for their light: 1 shows the brightest "
          "ones half as bright as white, 0 none. STARS is their number in all directions.")
          .numbered(
              {sim::number("BRIGHTNESS", 0.8, 0.0, 2.0), sim::count("STARS", 20'000.0, 100.0, 200'000.0)})
          .unless(on_paper));
}

bool has_stars(const Look& look) {
  return look.configuration.form(option_name).number(0) > 0.0 && !look.light.paper;
}

class StarFieldPass final : public EffectPass {
 public:
  void draw_background(const Backdrop& scene, render::GlName framebuffer) override {
    if (!has_stars(scene.look)) return;
    if (!sources_)
      sources_.emplace("star_field.glsl", [this](render::UniformTable& uniforms) {
        field_ = uniforms.find<glm::vec2>("field");
        star_size_ = uniforms.find<float>("star_size");
      });
    const auto option = scene.look.configuration.form(option_name);
    const auto stars = static_cast<std::size_t>(option.number(1));
    field_.set({brightness_of(scene.look), static_cast<float>(stars)});
    star_size_.set(render::DistantSources::half_width_of_star(star_width));
    sources_->draw(scene.from, stars + stars / stars_of_a_galaxy, render::shared::largest_galaxy,
                   framebuffer);
  }

 private:
  /// Part of white: a correction in stops brightens stars as all else.
  static float brightness_of(const Look& look) {
    const double correction = look.light.exposure.number(0);
    return static_cast<float>(0.5 * look.configuration.form(option_name).number(0) * std::exp2(correction));
  }

  render::Uniform<glm::vec2> field_;
  render::Uniform<float> star_size_;
  std::optional<render::DistantSources> sources_;
};

std::unique_ptr<EffectPass> make_star_field_pass() { return std::make_unique<StarFieldPass>(); }

std::string star_field_legend(const Look& look, bool background) {
  return background && has_stars(look) ? "background stars and galaxies are not data" : std::string();
}

}  // namespace

const Effect star_field_effect{.name = option_name,
                               .add_options = add_star_field_options,
                               .make_pass = make_star_field_pass,
                               .legend = star_field_legend};

}  // namespace orrery::app
