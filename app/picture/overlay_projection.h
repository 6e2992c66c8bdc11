#pragma once

#include <imgui.h>

#include <glm/glm.hpp>
#include <optional>
#include <utility>

#include "app/picture/painter.h"

namespace orrery::app {

/// Projects points of the scene to a picture of `size` pixels, relative to its upper left corner.
class OverlayProjection {
 public:
  OverlayProjection(const PictureInput& picture, ImVec2 size);
  /// The position of the camera.
  const glm::dvec3& position() const { return position_; }
  /// Empty behind the eye, and nearer than a fiftieth of the camera's distance.
  std::optional<ImVec2> see(const glm::dvec3& point) const;
  /// The part of a line that lies before the eye.
  std::optional<std::pair<ImVec2, ImVec2>> see(const glm::dvec3& from, const glm::dvec3& to) const;

 private:
  ImVec2 on_picture(const glm::dvec4& clip) const;

  glm::dmat4 to_clip_;
  glm::dvec3 position_;
  ImVec2 size_;
  double shift_;
  double nearest_;
};

}  // namespace orrery::app
