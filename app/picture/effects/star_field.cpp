#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "app/picture/picture_options.h"
#include "effects.h"
#include "render/effects/light_points.h"
#include "render/light/exposure.h"
#include "sim/options/describe.h"

namespace orrery::app {

namespace {

using sim::Configuration;

/// Width of a star at half of its brightness, in a picture 720 pixels high.
constexpr float width_px = 1.7F;
constexpr float reference_height = 720.0F;

std::string on_paper(const Configuration& configuration) {
  return sim::read_member(configuration, &PictureOptions::paper) ? "stars would be specks on the paper"
                                                                 : std::string();
}

void add_star_field_options(sim::OptionTable& table) {
  auto option = sim::formed(
      sim::shown(
          "star-field", "light", "Star field",
          "Faint stars far behind everything, for the eye: they are no data, turn with the camera, and "
          "do not count for the exposure. BRIGHTNESS is a factor for their light: 1 shows the brightest "
          "ones half as bright as white, 0 none. STARS is their number in all directions."),
      {{.word = "",
        .numbers = {{.name = "BRIGHTNESS", .minimum = 0.0, .maximum = 2.0},
                    {.name = "STARS",
                     .default_value = 20'000.0,
                     .minimum = 100.0,
                     .maximum = 200'000.0,
                     .whole = true,
                     .logarithmic = true}},
        .meaning = ""}});
  table.add(sim::unless(std::move(option), on_paper));
}

bool has_stars(const Configuration& configuration) {
  return configuration.form("star-field").number(0) > 0.0 &&
         !sim::read_member(configuration, &PictureOptions::paper);
}

class StarFieldPass final : public EffectPass {
 public:
  bool has_background(const Configuration& configuration) const override { return has_stars(configuration); }

  void draw_background(const Backdrop& scene, const render::Accumulation& light) override {
    if (!points_)
      points_.emplace("star_field.glsl",
                      [this](render::UniformTable& uniforms) { field_ = uniforms.find<glm::vec2>("field"); });
    const auto option = scene.configuration.form("star-field");
    const float width = width_px * static_cast<float>(scene.from.size_px.y) / reference_height;
    const double peak = option.number(0) * light_of_half_white(scene);
    field_.set({static_cast<float>(peak) * render::LightPoints::light_of_peak(width),
                static_cast<float>(option.number(1))});
    points_->draw(scene.from, static_cast<std::size_t>(option.number(1)), width, light);
  }

 private:
  /// The light that the picture would show at half of white, were it not for the correction in stops: that
  /// brightens stars as all else.
  static double light_of_half_white(const Backdrop& scene) {
    const double correction = sim::read_member(scene.configuration, &PictureOptions::exposure).number(0);
    return render::light_at_half_brightness(scene.tone) *
           std::exp2(correction - double{scene.tone.exposure_stops});
  }

  render::Uniform<glm::vec2> field_;
  std::optional<render::LightPoints> points_;
};

std::unique_ptr<EffectPass> make_star_field_pass() { return std::make_unique<StarFieldPass>(); }

std::string star_field_legend(const Configuration& configuration) {
  return has_stars(configuration) ? "background stars are not data" : std::string();
}

}  // namespace

const Effect star_field_effect{.name = "star-field",
                               .add_options = add_star_field_options,
                               .make_pass = make_star_field_pass,
                               .legend = star_field_legend};

}  // namespace orrery::app
