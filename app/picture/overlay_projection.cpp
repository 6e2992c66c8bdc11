#include "app/picture/overlay_projection.h"

namespace orrery::app {

OverlayProjection::OverlayProjection(const PictureInput& picture, ImVec2 size)
    : position_(picture.camera.position()),
      size_(size),
      shift_(picture.shift),
      nearest_(0.02 * picture.camera.distance) {
  const auto projection = glm::dmat4(picture.camera.projection(size.x / size.y));
  to_clip_ = projection * glm::dmat4(picture.camera.view());
}

std::optional<ImVec2> OverlayProjection::see(const glm::dvec3& point) const {
  const auto clip = to_clip_ * glm::dvec4(point, 1.0);
  if (!(clip.w >= nearest_)) return std::nullopt;
  return on_picture(clip);
}

std::optional<std::pair<ImVec2, ImVec2>> OverlayProjection::see(const glm::dvec3& from,
                                                                const glm::dvec3& to) const {
  auto a = to_clip_ * glm::dvec4(from, 1.0);
  auto b = to_clip_ * glm::dvec4(to, 1.0);
  if (a.w < nearest_ && b.w < nearest_) return std::nullopt;
  const auto cut = glm::mix(a, b, (nearest_ - a.w) / (b.w - a.w));
  if (a.w < nearest_) a = cut;
  if (b.w < nearest_) b = cut;
  return std::pair{on_picture(a), on_picture(b)};
}

ImVec2 OverlayProjection::on_picture(const glm::dvec4& clip) const {
  const glm::dvec2 at = glm::dvec2(clip.x / clip.w + shift_, -clip.y / clip.w) * 0.5 + 0.5;
  return {static_cast<float>(at.x) * size_.x, static_cast<float>(at.y) * size_.y};
}

}  // namespace orrery::app
