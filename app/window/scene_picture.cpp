#include "app/window/scene_picture.h"

namespace orrery::app {

bool ScenePicture::show(Session& session, Painter& painter, double shift, glm::ivec2 size) {
  if (!session.has_dataset()) {
    render::clear_window(size);
    return false;
  }
  if (target_ == nullptr || target_->size() != size) {
    target_ = std::make_unique<render::PictureTarget>(size);
    current_ = false;
  }
  const bool drawn = draw_if_changed(session, painter, shift);
  target_->show();
  return drawn;
}

bool ScenePicture::draw_if_changed(Session& session, Painter& painter, double shift) {
  const bool same_view =
      camera_ == session.camera && shift_ == shift && configuration_ == session.configuration;
  if (current_ && same_view) {
    if (!painter.settling()) return false;
    if (painter.settle(session.picture(shift), target_->framebuffer(), target_->size())) return true;
  }
  painter.draw(session.picture(shift), target_->framebuffer(), target_->size());
  session.mark_drawn();
  camera_ = session.camera;
  shift_ = shift;
  configuration_ = session.configuration;
  current_ = true;
  return true;
}

}  // namespace orrery::app
