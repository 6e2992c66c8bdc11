#include "app/picture/painter.h"

#include <algorithm>
#include <cmath>
#include <glm/gtc/matrix_transform.hpp>
#include <tuple>

#include "app/picture/picture_style.h"
#include "app/picture/picture_views.h"
#include "app/picture/star_style.h"
#include "app/picture/stellar_populations.h"
#include "app/picture/trail_style.h"
#include "render/context/gl.h"

namespace orrery::app {

namespace {

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

render::BodyStyle full_body_style(const PictureInput& input, glm::ivec2 size) {
  auto style = body_style(input.look);
  style.color_mode = color_mode_of(input.look, input.summary).name;
  style.pixel_scale = static_cast<float>(size.y) / reference_height;
  style.reference_distance = static_cast<float>(fitted_camera(input.summary).distance);
  std::tie(style.range_min, style.range_max) = active_range(input.look, input.summary);
  // A single galaxy, or a number that none has, is apart from nothing.
  if (input.summary.galaxies < 2 || input.summary.find_galaxy(style.singled_out) == nullptr)
    style.singled_out = render::no_galaxy;
  style.rough = is_rough(input);
  style.grid_columns = input.summary.grid_columns;
  style.grid_spacing = input.summary.grid_spacing;
  set_star_style(style, input.look.stars, input.summary);
  set_age_style(style, input.look.stars);
  set_spread_reach(style, input);
  if (input.orbits != nullptr)
    set_disc_sizes(style, input.look.trails, input.orbits->radii(), automatic_exposure(input.summary));
  return style;
}

/// The exposure that fits the dataset, wherever the camera is: it stays when that comes nearer.
double fixed_exposure(const PictureInput& input) {
  return automatic_exposure(input.summary) +
         double{input.camera.zoom_compensation(fitted_camera(input.summary).distance)};
}

/// A few bodies are points and lines: their own light decides, not how much there is.
bool measures_exposure(const PictureInput& input) {
  return input.look.light.exposure.word == "auto" && input.summary.bodies >= few_enough_for_trails;
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

/// An off-axis projection: all of the picture moves sideways.
glm::mat4 projection_of(const PictureInput& input, float aspect) {
  const glm::vec3 offset{static_cast<float>(input.shift), 0.0F, 0.0F};
  return glm::translate(glm::mat4(1.0F), offset) * input.camera.projection(aspect);
}

/// Kept pictures repeat to the bit, which sums of compute shaders do not. A film may give that up for speed.
render::Splatting splatting_of(const PictureInput& input) {
  const auto chosen = splatting(input.look);
  const bool asked_for = chosen == render::Splatting::compute && input.film_seconds > 0.0;
  return input.repeatable && !asked_for ? render::Splatting::raster : chosen;
}

/// The activity map is drawn instead of them.
bool hides_bodies(const PictureInput& input) { return input.map.buffers != nullptr && !input.map.over; }

float aspect_of(glm::ivec2 size) { return static_cast<float>(size.x) / static_cast<float>(size.y); }

/// `levels`: what the exposure is for; none: the one of the dataset.
render::ToneStyle full_tone_style(const PictureInput& input, const AutoExposure::Levels& levels) {
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

}  // namespace

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

void Painter::draw_light(const PictureInput& input, glm::ivec2 whole, const render::PictureTile& tile,
                         render::Accumulation& light) {
  light.resize(tile.drawn_of(whole));
  light.begin();
  const auto projection = projection_of(input, aspect_of(whole));
  auto style = full_body_style(input, whole);
  effects_.add_to(style, input.look, input.summary);
  if (hides_bodies(input)) return;
  const auto view = input.camera.view();
  bodies_.draw(input.buffers, input.slot, {view, projection, whole, tile}, light, style, splatting_of(input));
  if (input.orbits != nullptr)
    draw_trails(input, render::projection_of_tile(projection, whole, tile), style, light);
}

/// Draws the background behind the bodies, and the map over all.
void Painter::complete(const PictureInput& input, render::GlName framebuffer, glm::ivec2 whole,
                       const render::PictureTile& tile) {
  if (has_background(input)) {
    const auto view = input.camera.view();
    const auto projection = projection_of(input, aspect_of(whole));
    effects_.draw_background({input.look, {view, projection, whole, tile}}, framebuffer);
  }
  draw_map(input, framebuffer, whole, tile);
}

AutoExposure::Levels Painter::levels(const PictureInput& input, bool fresh) {
  if (follows_) return exposure_.followed(light_, fresh);
  if (!input.repeatable || !measures_exposure(input)) return {};
  return input.film_seconds > 0.0 ? exposure_.filmed(light_, input.film_seconds) : exposure_.measured(light_);
}

void Painter::draw_light_of_all(const PictureInput& input, glm::ivec2 size) {
  if (!input.look.picture.has_several_views()) return draw_light(input, size, {}, light_);
  light_.resize(size);
  light_.begin();
  for (const auto& view : views_of(input, size)) {
    draw_light(input_of(input, view), glm::ivec2(view.size), {}, view_light_);
    view_light_.copy_into(light_, lower_left(view, size));
  }
}

/// From the light to the picture.
void Painter::develop(const PictureInput& input, const render::PictureTarget& target, bool fresh) {
  const auto found = levels(input, fresh);
  if (input.look.picture.has_several_views())
    return develop_views(input, views_of(input, target.size()), target, found);
  tone_mapper_.draw(light_, target, full_tone_style(input, found));
  complete(input, target.framebuffer(), target.size(), {});
}

/// Each by itself, so that no glow goes from one to the next.
void Painter::develop_views(const PictureInput& input, const std::vector<PictureView>& views,
                            const render::PictureTarget& target, const AutoExposure::Levels& levels) {
  render::clear_to(target.framebuffer(), ground_of(input));
  for (const auto& view : views) {
    const auto part = input_of(input, view);
    const glm::ivec2 pixels(view.size);
    if (view_picture_ == nullptr || view_picture_->size() != pixels)
      view_picture_ = std::make_unique<render::PictureTarget>(pixels);
    view_light_.resize(pixels);
    view_light_.copy_from(light_, lower_left(view, target.size()));
    tone_mapper_.draw(view_light_, *view_picture_, full_tone_style(part, levels));
    complete(part, view_picture_->framebuffer(), pixels, {});
    view_picture_->copy_to(target.framebuffer(), lower_left(view, target.size()));
  }
  render::draw_into(target.framebuffer());
}

/// Where pictures become much smaller, what was allocated for the large ones is not kept: whatever draws only
/// with some options would keep it for good.
void Painter::release_if_smaller(glm::ivec2 size) {
  if (4 * size.x * size.y < size_.x * size_.y) {
    bodies_.release();
    trails_.reset();
    view_picture_.reset();
    view_light_ = render::Accumulation();
  }
  size_ = size;
}

void Painter::draw(const PictureInput& input, const render::PictureTarget& target) {
  release_if_smaller(target.size());
  draw_light_of_all(input, target.size());
  interrupted_ = input.repeatable && settling();
  follows_ = !input.repeatable && measures_exposure(input);
  develop(input, target, true);
}

bool Painter::settle(const PictureInput& input, const render::PictureTarget& target) {
  if (!follows_ || light_.size() != target.size()) return false;
  develop(input, target, false);
  return true;
}

bool Painter::begin_tiles(const PictureInput& input, glm::ivec2 whole) {
  interrupted_ = settling();
  follows_ = false;
  exposure_.begin_parts();
  tone_mapper_.begin_parts(whole);
  return measures_exposure(input) || full_tone_style(input, {}).glow > 0.0F;
}

void Painter::weigh_tile(const PictureInput& input, glm::ivec2 whole, const render::PictureTile& tile) {
  weigh_glow(input, whole, tile);
  exposure_.add_part(light_);
}

void Painter::weigh_glow(const PictureInput& input, glm::ivec2 whole, const render::PictureTile& tile) {
  draw_light(input, whole, tile, light_);
  tone_mapper_.add_part(light_, tile);
}

void Painter::draw_tile(const PictureInput& input, glm::ivec2 whole, const render::PictureTile& tile,
                        const render::PictureTarget& target) {
  draw_light(input, whole, tile, light_);
  const auto measured = measures_exposure(input) ? exposure_.measured_parts() : AutoExposure::Levels();
  tone_mapper_.draw_part(light_, tile, target, full_tone_style(input, measured));
  complete(input, target.framebuffer(), whole, tile);
}

const render::Accumulation& Painter::light_of_tile(const PictureInput& input, glm::ivec2 whole,
                                                   const render::PictureTile& tile) {
  interrupted_ = settling();
  follows_ = false;
  draw_light(input, whole, tile, light_);
  return light_;
}

/// Over the finished picture: its colours are those of the map, whatever the exposure.
void Painter::draw_map(const PictureInput& input, render::GlName framebuffer, glm::ivec2 whole,
                       const render::PictureTile& tile) {
  if (input.map.buffers == nullptr) return;
  if (!map_) map_.emplace();
  const auto projection = render::projection_of_tile(projection_of(input, aspect_of(whole)), whole, tile);
  map_->draw(input.map, map_look(input.look, input.summary.bodies), projection * input.camera.view(),
             framebuffer, tile.drawn_of(whole));
}

/// By the rasterizer where that is asked for, or OpenGL has no GPU.
void Painter::draw_trails(const PictureInput& input, const glm::mat4& projection,
                          const render::BodyStyle& style, render::Accumulation& light) {
  const bool raster = render::gl_info().software || splatting_of(input) == render::Splatting::raster;
  const auto method = raster ? render::DrawMethod::sprites : render::DrawMethod::compute;
  const auto draw = [&](const render::Trails* trails, const render::TrailStyle& look) {
    if (trails == nullptr || trails->rows() < 2) return;
    if (!trails_) trails_.emplace();
    trails_->draw(*trails, input.buffers, input.slot, input.camera.view(), projection, light, style, look,
                  method);
  };
  draw(input.orbits->trails(), trail_style(input.look.trails));
  draw(input.orbits->ellipses(), ellipse_style(input.look.trails));
}

}  // namespace orrery::app
