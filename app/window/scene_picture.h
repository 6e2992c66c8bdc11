#pragma once

#include <chrono>
#include <glm/glm.hpp>
#include <memory>
#include <optional>
#include <string>

#include "app/picture/painter.h"
#include "app/session/session.h"
#include "app/window/picture_scale.h"
#include "render/context/target.h"
#include "render/picture/camera.h"
#include "sim/options/configuration.h"

namespace orrery::app {

/// The picture of the bodies in the window: drawn again only when something in it changed, shown in every
/// frame. Where OpenGL has no GPU it is drawn roughly and smaller while it moves, and at full size as soon as
/// it stands still.
class ScenePicture {
 public:
  /// The bodies moved, or are others.
  void expire() { current_ = false; }
  /// Copies the picture to the window of `size` pixels; draws it before if bodies, camera, options, size or
  /// `shift` (as in PictureInput) changed. True if it was drawn. Without a dataset the window becomes black.
  bool show(Session& session, Painter& painter, double shift, glm::ivec2 size);
  /// Reports the duration of the frame of the last `show`, until the window presented it. `alone`: the frame
  /// did no other long work.
  void took(double milliseconds, bool alone);
  /// The part of its full size at which it was drawn last, for people: "2/3"; empty: at all of it.
  std::string smaller() const;

 private:
  using Clock = std::chrono::steady_clock;

  bool moves(Clock::time_point now) const;
  bool stands_rough(Clock::time_point now) const;
  bool draws_smaller();
  bool draw_if_changed(Session& session, Painter& painter, double shift, glm::ivec2 size);

  std::unique_ptr<render::PictureTarget> full_, small_;
  render::PictureTarget* target_ = nullptr;  ///< the target drawn last; one of them
  bool rough_ = false;                       ///< and how
  bool current_ = false;
  PictureScale scale_;
  std::optional<bool> software_;    ///< is OpenGL that of a core; unknown before the first picture
  bool drawn_now_ = false;          ///< true if the present frame drew the picture
  bool timed_ = false;              ///< the present frame says how long pictures of this size take
  Clock::time_point last_drawn_{};  ///< when the window showed it
  // What it was drawn with.
  render::Camera camera_;
  sim::Configuration configuration_;
  double shift_ = 0.0;
};

}  // namespace orrery::app
