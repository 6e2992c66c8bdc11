#include "app/picture/auto_exposure.h"

#include <algorithm>

namespace orrery::app {

namespace {

/// In the window every such row and column is looked at of more rows than this.
constexpr int measured_rows = 360;
/// After a pause light is not older than this.
constexpr double longest_frame = 0.1;

}  // namespace

void AutoExposure::take(const Levels& levels) {
  if (levels) follower_.want(*levels);
}

AutoExposure::Levels AutoExposure::filmed(const render::Accumulation& light, double seconds) {
  take(measured(light));
  follower_.advance(seconds);
  return follower_.levels();
}

AutoExposure::Levels AutoExposure::followed(const render::Accumulation& light, bool fresh) {
  const auto now = std::chrono::steady_clock::now();
  const double seconds = std::chrono::duration<double>(now - last_).count();
  last_ = now;
  take(render::light_levels(meter_.take()));
  if (!follower_.levels()) take(measured(light));
  unmeasured_ = unmeasured_ || fresh;
  const int stride = std::max(1, light.size().y / measured_rows);
  if (unmeasured_ && meter_.start(light, stride)) unmeasured_ = false;
  follower_.advance(std::min(seconds, longest_frame));
  return follower_.levels();
}

}  // namespace orrery::app
