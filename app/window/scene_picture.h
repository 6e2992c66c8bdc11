#pragma once

#include <glm/glm.hpp>
#include <memory>

#include "app/picture/painter.h"
#include "app/session/session.h"
#include "render/camera.h"
#include "render/target.h"
#include "sim/options/configuration.h"

namespace orrery::app {

/// The picture of the bodies in the window: drawn again only when something in it changed, shown in every
/// frame.
class ScenePicture {
 public:
  /// The bodies moved, or are others.
  void expire() { current_ = false; }
  /// Copies the picture to the window of `size` pixels; draws it before if bodies, camera, options, size or
  /// `shift` (as in PictureInput) changed. True if it was drawn. Without a dataset the window becomes black.
  bool show(Session& session, Painter& painter, double shift, glm::ivec2 size);

 private:
  bool draw_if_changed(Session& session, Painter& painter, double shift);

  std::unique_ptr<render::PictureTarget> target_;
  bool current_ = false;
  // What it was drawn with.
  render::Camera camera_;
  sim::Configuration configuration_;
  double shift_ = 0.0;
};

}  // namespace orrery::app
