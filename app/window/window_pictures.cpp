#include "app/window/window_pictures.h"

#include <fmt/format.h>

#include <utility>

#include "app/gui/gui.h"
#include "app/picture/tiled_picture.h"
#include "app/session/session.h"
#include "app/session/shared_names.h"
#include "app/window/camera_operator.h"
#include "app/window/messages.h"
#include "app/window/saved_files.h"
#include "app/window/settings.h"
#include "app/window/window.h"
#include "render/context/gl.h"
#include "render/error.h"
#include "sim/core/file_writer.h"

namespace orrery::app {

namespace {

/// By how much an exact picture takes longer, at most.
constexpr double growth_when_exact = 1.6;
/// One slow frame has other reasons: a program is compiled, the machine does something else.
constexpr unsigned slow_enough = 3;
/// So that it does not change all the time.
constexpr unsigned roomy_enough = 40;
constexpr double room = 0.75;

using namespace std::chrono_literals;

/// Frames farther apart show jumps instead of motion.
constexpr auto moving = 250ms;
constexpr auto standing = 300ms;

}  // namespace

void PictureDetail::took(double milliseconds) {
  slow_ = milliseconds > longest_ms ? slow_ + 1 : 0;
  roomy_ = milliseconds * growth_when_exact < room * longest_ms ? roomy_ + 1 : 0;
  const bool turns = rough_ ? roomy_ >= roomy_enough : slow_ >= slow_enough;
  if (!turns) return;
  rough_ = !rough_;
  slow_ = roomy_ = 0;
}

bool ScenePicture::moves(Clock::time_point now) const { return now - last_drawn_ < moving; }

bool ScenePicture::stands_rough(Clock::time_point now) const {
  return rough_ && now - last_drawn_ > standing;
}

bool ScenePicture::draws_roughly() {
  if (!software_) software_ = render::gl_info().software;
  if (!*software_) detail_.reset();
  return *software_;
}

bool ScenePicture::show(Session& session, Painter& painter, double shift, unsigned framebuffer,
                        glm::ivec2 size) {
  timed_ = drawn_now_ = false;
  if (!session.has_dataset()) {
    render::clear_to(framebuffer, {0.0F, 0.0F, 0.0F, 1.0F});
    return false;
  }
  if (target_ == nullptr || target_->size() != size) {
    target_ = std::make_unique<render::PictureTarget>(size);
    current_ = false;
  }
  const bool drawn = draw_if_changed(session, painter, shift);
  target_->copy_to(framebuffer, {0, 0});
  return drawn;
}

bool ScenePicture::draw_if_changed(Session& session, Painter& painter, double shift) {
  const auto now = Clock::now();
  const bool same_view =
      camera_ == session.camera && shift_ == shift && configuration_ == session.configuration;
  if (current_ && same_view && !stands_rough(now)) {
    if (!painter.settling()) return false;
    if (painter.settle(session.picture(shift), *target_)) return true;
  }
  // A camera that leaves its place after a rest moves already: the first picture must not wait for an exact
  // one.
  const bool may_be_rough = draws_roughly() && (moves(now) || (current_ && camera_ != session.camera));
  rough_ = may_be_rough && detail_.rough();
  auto picture = session.picture(shift);
  picture.rough = rough_;
  painter.draw(picture, *target_);
  session.mark_drawn();
  drawn_now_ = true;
  timed_ = may_be_rough;
  camera_ = session.camera;
  shift_ = shift;
  configuration_ = session.configuration;
  current_ = true;
  return true;
}

void ScenePicture::took(double milliseconds, bool alone) {
  // From here: a slow frame is no pause.
  if (std::exchange(drawn_now_, false)) last_drawn_ = Clock::now();
  if (std::exchange(timed_, false) && alone) detail_.took(milliseconds);
}

WindowPictures::WindowPictures(Place place, std::optional<PictureSize> asked_size)
    : place_(place), asked_size_(asked_size) {}

bool WindowPictures::show(glm::ivec2 pixels) {
  const double shift = place_.camera.shift();
  const auto framebuffer = place_.window.framebuffer();
  const bool drawn = scene_.show(place_.session, painter_, shift, framebuffer, pixels);
  draw_texts(overlay_, shift, framebuffer, pixels);
  return drawn;
}

std::vector<OverlayBox> WindowPictures::legend() const {
  const auto pixels = glm::vec2(place_.window.framebuffer_size());
  const auto unit = glm::vec2(place_.window.size()) / glm::max(pixels, glm::vec2(1.0F));
  auto boxes = overlay_.legend();
  for (auto& box : boxes)
    box = {{unit.x * box.from.x, unit.y * box.from.y}, {unit.x * box.to.x, unit.y * box.to.y}};
  return boxes;
}

/// Draws the texts over the bodies, in a picture whose left the panel covers by a part of the width.
void WindowPictures::draw_texts(OverlayPainter& overlay, double covered, unsigned framebuffer,
                                glm::ivec2 size) {
  const auto& session = place_.session;
  if (!session.has_dataset()) return;
  overlay.draw(session.picture(covered), session.legend(), framebuffer, size,
               static_cast<float>(covered * size.x), text_scale(place_.settings));
}

void WindowPictures::take(bool with_panel) {
  if (place_.session.has_dataset()) wanted_.push_back(with_panel);
}

void WindowPictures::save_wanted(const FilmChoice& choice, const DrawPanel& draw_panel) {
  for (const bool with_panel : std::exchange(wanted_, {})) save(with_panel, choice, draw_panel);
}

void WindowPictures::draw_bodies(const render::PictureTarget& target, double shift, bool transparent) {
  auto picture = place_.session.picture(shift);
  picture.repeatable = true;
  picture.transparent = transparent;
  painter_.draw(picture, target);
  // Letters of their own, for this size.
  OverlayPainter overlay;
  // Nothing is written over a sky that is not there.
  if (!transparent) draw_texts(overlay, shift, target.framebuffer(), target.size());
  place_.session.mark_drawn();
}

/// Draws a picture without the panel in tiles, if it is too large for one pass.
render::Image WindowPictures::draw_large(glm::ivec2 size, glm::ivec2 tile, bool transparent) {
  auto picture = place_.session.picture();
  picture.repeatable = true;
  picture.transparent = transparent;
  OverlayPainter overlay;
  if (!transparent) overlay.write(picture, place_.session.legend(), size, 0.0F, text_scale(place_.settings));
  auto image = draw_in_tiles(painter_, picture, transparent ? nullptr : &overlay, size, tile);
  place_.session.mark_drawn();
  return image;
}

render::Image WindowPictures::draw_without_panel(glm::ivec2 size, bool transparent) {
  const auto tile = suitable_tile(size);
  if (tile.x > 0) return draw_large(size, tile, transparent);
  const render::PictureTarget target(size);
  draw_bodies(target, 0.0, transparent);
  return target.read();
}

render::Image WindowPictures::draw_with_panel(glm::ivec2 size, const DrawPanel& draw_panel) {
  if (suitable_tile(size).x > 0)
    throw render::Error(
        fmt::format("a picture of {} x {} pixels is too large for one with the panel: take one "
                    "without it (F12)",
                    size.x, size.y));
  const render::PictureTarget target(size);
  if (size == place_.window.framebuffer_size()) {
    draw_bodies(target, place_.camera.shift(), false);
    place_.gui.draw(target.framebuffer());
    return target.read();
  }
  // At another size text is set anew, so that it stays crisp.
  const float scale =
      place_.gui.scale() * static_cast<float>(size.y) / static_cast<float>(place_.window.size().y);
  float panel_width = 0.0F;
  Gui gui(scale, place_.settings.theme);
  // A copy: the window's panel stays as it is.
  auto layout = place_.settings.panel;
  layout.width_set = 0.0F;
  gui.frame(glm::vec2(size), size, [&] { panel_width = draw_panel(scale, layout); });
  draw_bodies(target, panel_width / static_cast<double>(size.x), false);
  gui.draw(target.framebuffer());
  return target.read();
}

void WindowPictures::save(bool with_panel, const FilmChoice& choice, const DrawPanel& draw_panel) try {
  const auto& session = place_.session;
  auto size =
      asked_size_ ? glm::ivec2(asked_size_->width, asked_size_->height) : place_.window.framebuffer_size();
  if (choice.picture_size.x > 0) size = choice.picture_size;
  const auto path = free_picture_name(place_.files.folder(), session.scene().title, session.frame().steps);
  const auto image =
      with_panel ? draw_with_panel(size, draw_panel) : draw_without_panel(size, choice.transparent);
  const auto written = write_picture(path, image, session.view_state(), sim::Existing::number);
  place_.gui.make_current();
  place_.messages.confirm("picture", written);
} catch (const std::exception& error) {
  place_.gui.make_current();
  place_.messages.show_problem(error.what());
}

}  // namespace orrery::app
