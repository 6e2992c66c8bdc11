#include "app/window/scene_picture.h"

#include <utility>

#include "render/context/gl.h"

namespace orrery::app {

namespace {

using namespace std::chrono_literals;

/// Frames farther apart show jumps instead of motion.
constexpr auto moving = 250ms;
constexpr auto standing = 300ms;

}  // namespace

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

}  // namespace orrery::app
