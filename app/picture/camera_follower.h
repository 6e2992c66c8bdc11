#pragma once

#include <glm/glm.hpp>
#include <optional>
#include <vector>

#include "render/picture/camera.h"

namespace orrery::app {

/// Puts target and distance between those of two cameras; `share` 0 to 1. Distances change by equal ratios.
void set_between(render::Camera& camera, const render::Camera& from, const render::Camera& to, double share);

/// Keeps moving bodies in the picture: the camera keeps its direction, and glides to where it frames them.
class CameraFollower {
 public:
  /// Where luminous bodies are now. `aspect` = width / height of the picture. Without places the camera
  /// rests.
  void look(const std::vector<glm::dvec3>& places, const render::Camera& camera, double aspect);
  /// Moves the camera on by that many seconds of film.
  void advance(double seconds, render::Camera& camera) const;

 private:
  std::optional<render::Camera> goal_;
};

}  // namespace orrery::app
