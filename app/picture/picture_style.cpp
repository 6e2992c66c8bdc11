#include "app/picture/picture_style.h"

#include <algorithm>
#include <string>
#include <tuple>

#include "app/picture/star_style.h"
#include "app/picture/stellar_populations.h"
#include "app/picture/trail_style.h"
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

constexpr float reference_height = 720.0F;
/// Fewer bodies are drawn as they are, whatever the time.
constexpr std::size_t fewest_for_roughness = 1000;

/// Several views share what would be kept from one picture to the next.
bool is_rough(const PictureInput& input) {
  return input.rough && !input.repeatable && input.summary.bodies >= fewest_for_roughness &&
         !input.look.picture.has_several_views();
}

/// The part of the picture's height that a length at the camera's target takes up.
double part_of_height(double length, const render::Camera& camera) {
  return length / camera.picture_height();
}

/// Light is spread less far than the galaxy is large, as it is seen.
void set_spread_reach(render::BodyStyle& style, const PictureInput& input) {
  constexpr double part = 0.7;
  const double radius = part_of_height(input.summary.luminous.half_radius, input.camera);
  if (radius > 0.0) style.spread_reach = static_cast<float>(part * radius);
}

/// The exposure that fits the dataset, wherever the camera is: it stays when that comes nearer.
double fixed_exposure(const PictureInput& input) {
  return automatic_exposure(input.summary) +
         double{input.camera.zoom_compensation(fitted_camera(input.summary).distance)};
}

/// A part of the size of the galaxy as it is seen, so that the glow of its middle stays that of its middle.
/// Where bodies stand apart there is less of it: a glow around each would be fog.
void set_glow(render::ToneStyle& style, const PictureInput& input) {
  constexpr double part = 0.06;
  constexpr double bodies_for_half = 40.0;
  const auto& luminous = input.summary.luminous;
  const double radius = std::max(part_of_height(luminous.half_radius, input.camera), 1e-6);
  const double wanted = part * radius;
  const double width = std::min(wanted, double{render::widest_glow});
  const auto bodies = static_cast<double>(luminous.count) / input.summary.galaxies;
  const double in_glow = bodies * width * width / (radius * radius);
  style.glow_width = static_cast<float>(width);
  style.glow *= static_cast<float>(in_glow / (in_glow + bodies_for_half) *
                                   std::min(wanted / double{render::narrowest_glow}, 1.0));
}

render::Splatting asked_splatting(const Look& look) {
  const auto& choice = look.picture.splatting;
  if (choice == "raster") return render::Splatting::raster;
  return choice == "compute" ? render::Splatting::compute : render::Splatting::automatic;
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

render::BodyStyle body_style(const PictureInput& input, glm::ivec2 size) {
  auto style = body_style(input.look);
  style.color_mode = color_mode_of(input.look, input.summary).name;
  style.pixel_scale = static_cast<float>(size.y) / reference_height;
  style.reference_distance = static_cast<float>(fitted_camera(input.summary).distance);
  std::tie(style.range_min, style.range_max) = active_range(input.look, input.summary);
  // A single galaxy, or a number that none has, is apart from nothing.
  if (input.summary.galaxies < 2 || input.summary.find_galaxy(style.singled_out) == nullptr)
    style.singled_out = render::no_galaxy;
  style.rough = is_rough(input);
  set_spread_reach(style, input);
  style.grid_columns = input.summary.grid_columns;
  style.grid_spacing = input.summary.grid_spacing;
  set_star_style(style, input.look.stars, input.summary);
  set_age_style(style, input.look.stars);
  return style;
}

render::Splatting splatting(const PictureInput& input) {
  const auto chosen = asked_splatting(input.look);
  const bool asked_for = chosen == render::Splatting::compute && input.film_seconds > 0.0;
  return input.repeatable && !asked_for ? render::Splatting::raster : chosen;
}

bool hides_bodies(const PictureInput& input) { return input.map.buffers != nullptr && !input.map.over; }

bool measures_exposure(const PictureInput& input) {
  return input.look.light.exposure.word == "auto" && input.summary.bodies >= few_enough_for_trails;
}

render::ToneStyle tone_style(const PictureInput& input, const AutoExposure::Levels& levels) {
  auto style = tone_style(input.look.light);
  if (levels)
    render::expose(style, *levels);
  else
    style.exposure_stops += static_cast<float>(fixed_exposure(input));
  set_glow(style, input);
  style.transparent = input.transparent;
  style.rough = is_rough(input);
  return style;
}

const render::ColorMode& color_mode_of(const Look& look, const SceneSummary& summary) {
  const auto& choice = look.color.mode;
  const bool few = summary.bodies < few_enough_for_trails;
  const std::string_view usual = summary.colored > 0 ? "file" : few ? "body" : "component";
  const auto* mode = render::find_color_mode(choice == "auto" ? usual : std::string_view(choice));
  return mode != nullptr ? *mode : *render::color_modes().front();
}

bool has_background(const PictureInput& input) {
  return !input.transparent && !hides_bodies(input) && color_mode_of(input.look, input.summary).categorical;
}

std::pair<float, float> active_range(const Look& look, const SceneSummary& summary) {
  const auto& range = look.color.range;
  if (range.word.empty()) return {static_cast<float>(range.number(0)), static_cast<float>(range.number(1))};
  const auto found = summary.ranges.find(color_mode_of(look, summary).name);
  return found == summary.ranges.end() ? std::pair{0.0F, 1.0F} : found->second;
}

render::MapPlace map_place(const sim::MapSpec& map, const SceneSummary& summary) {
  const auto axes = sim::map_axes(map.plane);
  const auto middle = summary.galaxies > 1 ? summary.view_center() : summary.center;
  const auto shift = middle - summary.center;
  render::MapPlace place{.corner = glm::vec3(middle), .along = glm::vec3(0.0F), .up = glm::vec3(0.0F)};
  place.corner[axes.column] = map.box.left + static_cast<float>(shift[axes.column]);
  place.corner[axes.row] = map.box.bottom + static_cast<float>(shift[axes.row]);
  place.along[axes.column] = map.box.right - map.box.left;
  place.up[axes.row] = map.box.top - map.box.bottom;
  return place;
}

}  // namespace orrery::app
