#pragma once

#include <chrono>
#include <glm/glm.hpp>
#include <memory>
#include <optional>

#include "app/picture/painter.h"
#include "app/session/session.h"
#include "app/window/picture_detail.h"
#include "render/context/target.h"
#include "render/picture/camera.h"
#include "sim/options/configuration.h"

namespace orrery::app {

/// The picture of the bodies in the window: drawn again only when something in it changed, shown in every
/// frame. Where OpenGL has no GPU and frames are slow it is drawn roughly while it moves, at its full size,
/// and exactly as soon as it stands still.
class ScenePicture {
 public:
  /// Marks the picture as outdated, because bodies moved or were replaced.
  void expire() { current_ = false; }
  /// Copies the picture to the window's framebuffer of `size` pixels; draws it before if bodies, camera,
  /// options, size or `shift` (as in PictureInput) changed. True if it was drawn. Without a dataset the
  /// window becomes black.
  bool show(Session& session, Painter& painter, double shift, unsigned framebuffer, glm::ivec2 size);
  /// Reports the duration of the frame of the last `show`, until the window presented it. `alone`: the frame
  /// did no other long work.
  void took(double milliseconds, bool alone);
  /// True if the picture was last drawn roughly.
  bool rough() const { return target_ != nullptr && rough_; }

 private:
  using Clock = std::chrono::steady_clock;

  bool moves(Clock::time_point now) const;
  bool stands_rough(Clock::time_point now) const;
  bool draws_roughly();
  bool draw_if_changed(Session& session, Painter& painter, double shift);

  std::unique_ptr<render::PictureTarget> target_;
  bool rough_ = false;  ///< how it was drawn last
  bool current_ = false;
  PictureDetail detail_;
  std::optional<bool> software_;    ///< is OpenGL that of a core; unknown before the first picture
  bool drawn_now_ = false;          ///< true if the present frame drew the picture
  bool timed_ = false;              ///< the present frame says how long such pictures take
  Clock::time_point last_drawn_{};  ///< when the window showed it
  // What it was drawn with.
  render::Camera camera_;
  sim::Configuration configuration_;
  double shift_ = 0.0;
};

}  // namespace orrery::app
