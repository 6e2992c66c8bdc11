#include "app/picture/auto_exposure.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "render/context/gl.h"

namespace orrery::app {

namespace {

/// After a pause light is not older than this.
constexpr double longest_frame = 0.1;

}  // namespace

/// Where pixels are counted by the CPU, fewer say it too.
int AutoExposure::few_rows() { return render::gl_info().software ? 90 : 360; }

void AutoExposure::take(const Levels& levels, bool exactly) {
  if (levels) follower_.want(*levels, exactly);
}

/// Roughly at light that has just come; at light that stayed until all is settled at every pixel.
void AutoExposure::look(const render::Accumulation& light) {
  if (meter_.busy()) return;
  if (measured_ == How::not_yet) {
    meter_.start(light, std::max(1, light.size().y / measured_rows_));
    measured_ = How::roughly;
    looks_exactly_ = false;
  } else if (measured_ == How::roughly && follower_.settled()) {
    meter_.start(light);
    measured_ = How::exactly;
    looks_exactly_ = true;
  }
}

void AutoExposure::add_part(const render::Accumulation& light) {
  const auto counted = meter_.measure(light);
  parts_.resize(counted.size());
  std::ranges::transform(parts_, counted, parts_.begin(), std::plus<>());
}

AutoExposure::Levels AutoExposure::filmed(const render::Accumulation& light, double seconds) {
  take(measured(light), false);
  follower_.follow(seconds);
  return follower_.levels();
}

AutoExposure::Levels AutoExposure::followed(const render::Accumulation& light, bool fresh) {
  const auto now = std::chrono::steady_clock::now();
  const double seconds = std::chrono::duration<double>(now - last_).count();
  last_ = now;
  if (fresh) measured_ = How::not_yet;
  take(render::light_levels(meter_.take()), looks_exactly_ && !fresh);
  if (std::exchange(first_, false)) take(measured(light), true);
  look(light);
  follower_.follow(std::min(seconds, longest_frame));
  return follower_.levels();
}

}  // namespace orrery::app
