#include "app/picture/picture_style.h"

#include <array>
#include <string>

#include "app/picture/color_options.h"
#include "app/picture/picture_options.h"
#include "render/color_maps/color_map.h"
#include "sim/activity/map_options.h"
#include "sim/bodies/bodies.h"
#include "sim/options/form.h"
#include "sim/options/option_member.h"

namespace orrery::app {

std::int64_t singled_out_galaxy(const sim::Configuration& configuration) {
  return static_cast<std::int64_t>(sim::read_member(configuration, &PictureOptions::highlight).number(0));
}

namespace {

/// docs/rendering.md states these looks.
void single_out(render::BodyStyle& style, const sim::Configuration& configuration) {
  const auto how = sim::read_member(configuration, &PictureOptions::highlight).word;
  const auto number = singled_out_galaxy(configuration);
  if (number < 0 || how == "off") return;
  style.singled_out = static_cast<std::uint32_t>(number);
  if (how == "dim-others") style.others_look.light = 0.05F;
  if (how == "gray-others")
    style.others_look = {.color = {0.45F, 0.50F, 0.60F}, .color_share = 1.0F, .light = 0.12F};
  if (how == "color") style.singled_out_look = {.color = {1.0F, 0.36F, 0.05F}, .color_share = 1.0F};
}

/// How bodies are drawn.
struct BodyOptions {
  double size = 0.0, brightness = 0.0;
  bool perspective_size = false;
  std::string splatting;
};
template <typename Visit>
void for_each_value(BodyOptions& options, const Visit& visit) {
  visit("size", options.size);
  visit("brightness", options.brightness);
  visit("perspective-size", options.perspective_size);
  visit("splatting", options.splatting);
}

/// How the map is drawn.
struct MapLookOptions {
  std::string color;
  bool log = false;
};
template <typename Visit>
void for_each_value(MapLookOptions& options, const Visit& visit) {
  visit("map-color", options.color);
  visit("map-log", options.log);
}

/// How light becomes brightness, besides PictureOptions.
struct ToneOptions {
  std::string curve;
  bool dither = false;
  double glow = 0.0;
};
template <typename Visit>
void for_each_value(ToneOptions& options, const Visit& visit) {
  visit("tone-curve", options.curve);
  visit("dither", options.dither);
  visit("glow", options.glow);
}

}  // namespace

render::BodyStyle body_style(const sim::Configuration& configuration) {
  render::BodyStyle style;
  const auto bodies = sim::read_group<BodyOptions>(configuration);
  style.size_px = static_cast<float>(bodies.size);
  style.brightness = static_cast<float>(bodies.brightness);
  style.perspective_size = bodies.perspective_size;
  const auto view = picture_options(configuration);
  if (view.color_mode != "auto") style.color_mode = view.color_mode;
  style.color_map = view.color_map == "auto" ? std::string() : view.color_map;
  style.log_range = view.color_log;
  style.reversed = view.color_reversed;
  set_outside_colors(style, configuration);
  for (std::size_t i = 0; i < sim::component_count; ++i) {
    const auto name = sim::component_name(static_cast<sim::Component>(i));
    style.component_weight.at(i) = sim::lists(view.show, name) ? 1.0F : 0.0F;
  }
  single_out(style, configuration);
  return style;
}

render::Splatting splatting(const sim::Configuration& configuration) {
  const auto choice = sim::read_member(configuration, &BodyOptions::splatting);
  if (choice == "raster") return render::Splatting::raster;
  return choice == "compute" ? render::Splatting::compute : render::Splatting::automatic;
}

render::MapLook map_look(const sim::Configuration& configuration, std::size_t bodies) {
  const auto map = sim::map_options(configuration);
  const bool counts = map.says_counts();
  const auto values = counts ? sim::MapValues::count : sim::MapValues::normalised;
  const auto look = sim::read_group<MapLookOptions>(configuration);
  return {.colors = render::find_color_map(look.color),
          .logarithmic = look.log,
          // What is normalised goes up to 1.
          .highest = counts ? 0.0F : 1.0F,
          .unit = sim::map_factor(values, map.size, bodies)};
}

render::ToneStyle tone_style(const sim::Configuration& configuration) {
  render::ToneStyle style;
  const auto view = picture_options(configuration);
  const auto tone = sim::read_group<ToneOptions>(configuration);
  style.exposure_stops = static_cast<float>(view.exposure.number(0));
  for (std::size_t i = 0; i < render::tone_curve_count; ++i) {
    const auto curve = static_cast<render::ToneStyle::Curve>(i);
    if (render::tone_curve_name(curve) == tone.curve) style.curve = curve;
  }
  style.dither = tone.dither;
  style.paper = view.paper;
  style.glow = static_cast<float>(tone.glow);
  return style;
}

}  // namespace orrery::app
