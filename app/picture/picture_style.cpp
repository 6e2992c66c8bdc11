#include "app/picture/picture_style.h"

#include <array>
#include <string>

#include "render/color_maps/color_map.h"
#include "sim/bodies/bodies.h"

namespace orrery::app {

namespace {

/// docs/rendering.md states these looks.
void single_out(render::BodyStyle& style, const PictureOptions& options) {
  const auto& how = options.highlight.word;
  const auto number = options.singled_out_galaxy();
  if (number < 0 || how == "off") return;
  style.singled_out = static_cast<std::uint32_t>(number);
  if (how == "dim-others") style.others_look.light = 0.05F;
  if (how == "gray-others")
    style.others_look = {.color = {0.45F, 0.50F, 0.60F}, .color_share = 1.0F, .light = 0.12F};
  if (how == "color") style.singled_out_look = {.color = {1.0F, 0.36F, 0.05F}, .color_share = 1.0F};
}

}  // namespace

render::BodyStyle body_style(const Look& look) {
  render::BodyStyle style;
  style.size_px = static_cast<float>(look.bodies.size);
  style.brightness = static_cast<float>(look.bodies.brightness);
  style.perspective_size = look.bodies.perspective_size;
  if (look.color.mode != "auto") style.color_mode = look.color.mode;
  style.color_map = look.color.map == "auto" ? std::string() : look.color.map;
  style.log_range = look.color.is_logarithmic();
  style.reversed = look.color.is_reversed();
  style.outside = look.color.outside();
  for (std::size_t i = 0; i < sim::component_count; ++i) {
    const auto name = sim::component_name(static_cast<sim::Component>(i));
    style.component_weight.at(i) = sim::lists(look.picture.show, name) ? 1.0F : 0.0F;
  }
  single_out(style, look.picture);
  return style;
}

render::Splatting splatting(const Look& look) {
  const auto& choice = look.picture.splatting;
  if (choice == "raster") return render::Splatting::raster;
  return choice == "compute" ? render::Splatting::compute : render::Splatting::automatic;
}

render::MapLook map_look(const Look& look, std::size_t bodies) {
  const bool counts = look.counted.says_counts();
  const auto values = counts ? sim::MapValues::count : sim::MapValues::normalised;
  return {.colors = render::find_color_map(look.map.colors),
          .logarithmic = look.map.log,
          // What is normalised goes up to 1.
          .highest = counts ? 0.0F : 1.0F,
          .unit = sim::map_factor(values, look.counted.size, bodies)};
}

render::ToneStyle tone_style(const LightOptions& light) {
  render::ToneStyle style;
  style.exposure_stops = static_cast<float>(light.exposure.number(0));
  for (std::size_t i = 0; i < render::tone_curve_count; ++i) {
    const auto curve = static_cast<render::ToneStyle::Curve>(i);
    if (render::tone_curve_name(curve) == light.tone_curve) style.curve = curve;
  }
  style.dither = light.dither;
  style.paper = light.paper;
  style.glow = static_cast<float>(light.glow);
  return style;
}

}  // namespace orrery::app
