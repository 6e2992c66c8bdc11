#include "app/window/viewer.h"

#include <fmt/format.h>

#include "app/picture/tiled_picture.h"
#include "render/context/gl.h"
#include "render/error.h"
#include "sim/core/file_writer.h"

// Pictures of the window.
namespace orrery::app {

void Viewer::take_screenshot(bool with_panel) {
  if (session_.has_dataset()) pictures_wanted_.push_back(with_panel);
}

/// Draws a picture without the panel in tiles, if it is too large for one pass.
render::Image Viewer::draw_large_picture(glm::ivec2 size, glm::ivec2 tile) {
  auto picture = session_.picture();
  picture.repeatable = true;
  picture.transparent = film_choice_.transparent;
  OverlayPainter overlay;
  if (!picture.transparent) overlay.write(picture, session_.legend(), size);
  auto image = draw_in_tiles(painter_, picture, picture.transparent ? nullptr : &overlay, size, tile);
  session_.mark_drawn();
  return image;
}

render::Image Viewer::draw_picture(glm::ivec2 size, bool with_panel) {
  const auto tile = suitable_tile(size);
  if (tile.x > 0) {
    if (with_panel)
      throw render::Error(
          fmt::format("a picture of {} x {} pixels is too large for one with the panel: take one "
                      "without it (Ctrl+F12)",
                      size.x, size.y));
    return draw_large_picture(size, tile);
  }
  const render::PictureTarget target(size);
  const auto draw_bodies = [&](double shift) {
    auto picture = session_.picture(shift);
    picture.repeatable = true;
    picture.transparent = film_choice_.transparent && !with_panel;
    painter_.draw(picture, target.framebuffer(), size);
    // Letters of their own, for this size.
    OverlayPainter overlay;
    // Nothing is written over a sky that is not there.
    if (!picture.transparent) draw_texts(overlay, shift, target.framebuffer(), size);
    session_.mark_drawn();
  };
  if (!with_panel) {
    draw_bodies(0.0);
    return target.read();
  }
  if (size == window_.framebuffer_size()) {
    draw_bodies(scene_shift());
    gui_.draw(target.framebuffer());
    return target.read();
  }
  // At another size text is set anew, so that it stays crisp.
  const float scale = gui_.scale() * static_cast<float>(size.y) / static_cast<float>(window_.size().y);
  float panel_width = 0.0F;
  Gui gui(scale, settings_.theme);
  // A copy: the window's panel stays as it is.
  auto layout = settings_.panel;
  layout.width_set = 0.0F;
  gui.frame(glm::vec2(size), size, [&] { panel_width = draw_overlay(scale, &layout); });
  // What was noted there are not the positions of the window's widgets.
  widgets_.forget();
  draw_bodies(panel_width / static_cast<double>(size.x));
  gui.draw(target.framebuffer());
  return target.read();
}

void Viewer::save_picture(bool with_panel) try {
  const auto wanted = options_.run.screenshot_size;
  auto size = wanted ? glm::ivec2(wanted->width, wanted->height) : window_.framebuffer_size();
  if (film_choice_.picture_size.x > 0) size = film_choice_.picture_size;
  const auto path = free_picture_name(output_folder(), session_.scene().title, session_.frame().steps);
  const auto written =
      write_picture(path, draw_picture(size, with_panel), session_.view_state(), sim::Existing::number);
  gui_.make_current();
  confirm("picture", written);
} catch (const std::exception& error) {
  gui_.make_current();
  show_problem(error.what());
}

}  // namespace orrery::app
