#include "app/window/camera_director.h"

namespace orrery::app {

namespace {

constexpr double glide_seconds = 0.7;

}  // namespace

void CameraDirector::begin(const render::CameraPath& path, bool gliding, render::Camera& camera) {
  path_ = path;
  gliding_ = gliding;
  time_ = 0.0;
  set_ = camera = path.at(0.0);
}

void CameraDirector::play(const render::CameraPath& path, render::Camera& camera) {
  begin(path, false, camera);
}

void CameraDirector::glide(const render::Camera& to, render::Camera& camera) {
  begin(render::CameraPath({{0.0, camera, render::Easing::rest}, {glide_seconds, to, render::Easing::rest}}),
        true, camera);
}

void CameraDirector::advance(double seconds, render::Camera& camera) {
  if (!path_) return;
  if (camera != set_) return stop();
  time_ += seconds;
  set_ = camera = path_->at(time_);
  if (time_ >= path_->duration()) stop();
}

}  // namespace orrery::app
