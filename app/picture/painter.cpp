#include "app/picture/painter.h"

#include <glm/gtc/matrix_transform.hpp>

#include "app/picture/picture_style.h"
#include "app/picture/picture_views.h"
#include "app/picture/trail_style.h"
#include "render/context/gl.h"

namespace orrery::app {

namespace {

/// An off-axis projection: all of the picture moves sideways.
glm::mat4 projection_of(const PictureInput& input, float aspect) {
  const glm::vec3 offset{static_cast<float>(input.shift), 0.0F, 0.0F};
  return glm::translate(glm::mat4(1.0F), offset) * input.camera.projection(aspect);
}

float aspect_of(glm::ivec2 size) { return static_cast<float>(size.x) / static_cast<float>(size.y); }

}  // namespace

void Painter::draw_light(const PictureInput& input, glm::ivec2 whole, const render::PictureTile& tile,
                         render::Accumulation& light) {
  light.resize(tile.drawn_of(whole));
  light.begin();
  const auto projection = projection_of(input, aspect_of(whole));
  auto style = body_style(input, whole);
  if (input.orbits != nullptr)
    set_disc_sizes(style, input.look.trails, input.orbits->radii(), automatic_exposure(input.summary));
  effects_.add_to(style, input.look, input.summary);
  if (hides_bodies(input)) return;
  const auto view = input.camera.view();
  const auto how = splatting(input);
  bodies_.draw(input.buffers, input.slot, {view, projection, whole, tile}, light, style, how);
  if (input.orbits != nullptr)
    draw_trails(input, render::projection_of_tile(projection, whole, tile), style, how, light);
}

/// Draws the background behind the bodies, and the map over all.
void Painter::complete(const PictureInput& input, render::GlName framebuffer, glm::ivec2 whole,
                       const render::PictureTile& tile) {
  const auto view = input.camera.view();
  const auto projection = projection_of(input, aspect_of(whole));
  const render::BodyView from{view, projection, whole, tile};
  if (has_background(input)) effects_.draw_background({input.look, from}, framebuffer);
  if (input.map.buffers != nullptr) draw_map(input, framebuffer, from);
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
  tone_mapper_.draw(light_, target, tone_style(input, found));
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
    tone_mapper_.draw(view_light_, *view_picture_, tone_style(part, levels));
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
  return measures_exposure(input) || tone_style(input, {}).glow > 0.0F;
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
  tone_mapper_.draw_part(light_, tile, target, tone_style(input, measured));
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
void Painter::draw_map(const PictureInput& input, render::GlName framebuffer, const render::BodyView& from) {
  if (!map_) map_.emplace();
  const auto projection = render::projection_of_tile(from.projection, from.size_px, from.tile);
  map_->draw(input.map, map_look(input.look, input.summary.bodies), projection * from.view, framebuffer,
             from.tile.drawn_of(from.size_px));
}

/// By the rasterizer where that is asked for, or OpenGL has no GPU.
void Painter::draw_trails(const PictureInput& input, const glm::mat4& projection,
                          const render::BodyStyle& style, render::Splatting how,
                          render::Accumulation& light) {
  const bool raster = render::gl_info().software || how == render::Splatting::raster;
  const auto method = raster ? render::DrawMethod::sprites : render::DrawMethod::compute;
  const auto draw_lines = [&](const render::Trails* trails, const render::TrailStyle& look) {
    if (trails == nullptr || trails->rows() < 2) return;
    if (!trails_) trails_.emplace();
    trails_->draw(*trails, input.buffers, input.slot, input.camera.view(), projection, light, style, look,
                  method);
  };
  draw_lines(input.orbits->trails(), trail_style(input.look.trails));
  draw_lines(input.orbits->ellipses(), ellipse_style(input.look.trails));
}

}  // namespace orrery::app
