#pragma once

#include <glm/glm.hpp>
#include <optional>
#include <vector>

#include "app/picture/framing.h"
#include "render/picture/camera.h"

namespace orrery::app {

/// Puts target, distance and lens between those of two cameras; `share` 0 to 1. Distances, and the height
/// that the lens shows, change by equal ratios.
void set_between(render::Camera& camera, const render::Camera& from, const render::Camera& to, double share);

/// Keeps moving bodies in the picture: the camera keeps its direction, and glides to where it frames them.
class CameraFollower {
 public:
  /// `zoom`: shows them this many times as large.
  explicit CameraFollower(double zoom = 1.0) : zoom_(zoom) {}

  /// More bodies than of a picture at rest, so that tails are in it.
  static constexpr Framing framing{.share = 0.975, .part = 0.85};

  /// Where luminous bodies are now. `aspect` = width / height of the picture. Without places the camera
  /// rests.
  void look(const std::vector<glm::dvec3>& places, const render::Camera& camera, double aspect);
  /// Moves the camera on by that many seconds of film.
  void advance(double seconds, render::Camera& camera) const;
  /// Moves the camera to its goal at once.
  void jump(render::Camera& camera) const;

 private:
  double zoom_;
  std::optional<render::Camera> goal_;
};

}  // namespace orrery::app
