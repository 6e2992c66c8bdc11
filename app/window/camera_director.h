#pragma once

#include <optional>

#include "render/picture/camera_path.h"

namespace orrery::app {

/// Moves the camera by itself: along a path, or in a short glide to a view. A person who moves it takes over.
class CameraDirector {
 public:
  /// Starts a path, which must have keys, from its beginning.
  void play(const render::CameraPath& path, render::Camera& camera);
  /// Moves the camera to a view, in less than a second.
  void glide(const render::Camera& to, render::Camera& camera);
  void stop() { path_.reset(); }
  bool moves() const { return path_.has_value(); }
  /// True while the camera follows a path that was played.
  bool plays() const { return moves() && !gliding_; }

  /// Advances the motion by `seconds`.
  void advance(double seconds, render::Camera& camera);

 private:
  void begin(const render::CameraPath& path, bool gliding, render::Camera& camera);

  std::optional<render::CameraPath> path_;
  bool gliding_ = false;
  double time_ = 0.0;
  render::Camera set_;  ///< as it was left: otherwise a person has moved it
};

}  // namespace orrery::app
