#include "app/picture/camera_follower.h"

#include <cmath>

namespace orrery::app {

namespace {

/// In which the camera comes 1/e nearer to its goal: longer than a passage's jolt, shorter than its way. It
/// goes back sooner than it comes near: tails leave fast.
constexpr double seconds_to_follow = 0.8, seconds_to_go_back = 0.4;

}  // namespace

void set_between(render::Camera& camera, const render::Camera& from, const render::Camera& to, double share) {
  const auto between = [share](double first, double second) {
    return first * std::pow(second / first, share);
  };
  const double lens = between(from.half_height(), to.half_height());
  const double distance = between(from.distance, to.distance);
  camera.target = glm::mix(from.target, to.target, share);
  camera.distance = distance;
  camera.field_of_view =
      from.field_of_view == to.field_of_view ? to.field_of_view : static_cast<float>(2.0 * std::atan(lens));
}

void CameraFollower::look(const std::vector<glm::dvec3>& places, const render::Camera& camera,
                          double aspect) {
  if (places.empty()) return;
  goal_ = framed(camera, places, aspect, framing);
  goal_->distance /= zoom_;
}

void CameraFollower::advance(double seconds, render::Camera& camera) const {
  if (!goal_) return;
  const double needed = goal_->distance > camera.distance ? seconds_to_go_back : seconds_to_follow;
  set_between(camera, camera, *goal_, 1.0 - std::exp(-seconds / needed));
}

void CameraFollower::jump(render::Camera& camera) const {
  if (!goal_) return;
  camera.target = goal_->target;
  camera.distance = goal_->distance;
}

}  // namespace orrery::app
