#include "app/live/demo_camera.h"

#include <algorithm>
#include <cmath>
#include <glm/gtc/quaternion.hpp>
#include <numbers>
#include <utility>

#include "app/picture/camera_follower.h"
#include "app/picture/framing.h"
#include "app/picture/trail_options.h"
#include "app/session/session.h"

namespace orrery::app {

namespace {

constexpr double flight_seconds = 1.4;
/// The caption covers the foot of the picture: what is shown stands so much of its height above the middle.
constexpr double raised = 0.075;
/// More bodies than that are not read back again and again to see where they are.
constexpr std::size_t most_followed = 2'000'000;
constexpr std::chrono::milliseconds look_interval{800};
/// In so many seconds most of the way to where the bodies have gone is made.
constexpr double follow_seconds = 0.9;

double seconds_between(DemoCameraman::Clock::time_point from, DemoCameraman::Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

/// Slow at both ends.
double eased(double part) { return part * part * (3.0 - 2.0 * part); }

}  // namespace

/// The camera that a step wants, in the direction in which the session's looks; that stays as it is.
render::Camera DemoCameraman::framed(Session& session, const std::function<void()>& fit,
                                     double aspect) const {
  const auto before = session.camera;
  const auto turn = [&](render::Camera& camera) {
    camera.orientation = before.orientation;
    if (wanted_.view) camera.look(*wanted_.view);
  };
  auto camera = before;
  if (wanted_.holds > 0.0) {
    const auto summary = session.frame().steps > 0 ? session.summary_now() : session.summary();
    const auto& places = summary.luminous.places;
    camera = view_of(summary, View::fit, aspect);
    turn(camera);
    for (int k = 0; k < 24 && share_in_picture(camera, places, aspect) < wanted_.holds; ++k) camera.zoom(0.9);
    // Room above the caption.
    camera.zoom(0.72);
  } else if (fit) {
    fit();
    camera = std::exchange(session.camera, before);
  }
  turn(camera);
  camera.zoom(wanted_.zoom);
  return camera;
}

void DemoCameraman::show(Session& session) {
  session.camera = base_;
  session.camera.pan(0.0, raised);
  last_ = session.camera;
}

void DemoCameraman::aim(Session& session, const DemoStep& step, const std::function<void()>& fit,
                        double aspect, bool jumps, Clock::time_point now) {
  since_ = moved_ = looked_ = now;
  step_ = session.frame().steps;
  moving_ = step.camera.has_value();
  flying_ = moving_ && !jumps;
  if (!moving_) return;
  wanted_ = *step.camera;
  from_ = session.camera;
  from_.pan(0.0, -raised);
  to_ = framed(session, fit, aspect);
  base_ = jumps ? to_ : from_;
  show(session);
}

void DemoCameraman::move(Session& session, const std::function<void()>& fit, double aspect,
                         Clock::time_point now) {
  const double passed = std::min(seconds_between(std::exchange(moved_, now), now), 0.1);
  if (moving_ && session.camera != last_) moving_ = false;
  if (!moving_) return;
  if (flying_) {
    const double part = std::min(seconds_between(since_, now) / flight_seconds, 1.0);
    flying_ = part < 1.0;
    base_ = to_;
    base_.orientation = glm::slerp(from_.orientation, to_.orientation, eased(part));
    set_between(base_, from_, to_, eased(part));
  } else {
    base_.orbit(passed * wanted_.turn * std::numbers::pi / 180.0, 0.0);
    follow(session, fit, aspect, now, passed);
  }
  show(session);
}

void DemoCameraman::follow(Session& session, const std::function<void()>& fit, double aspect,
                           Clock::time_point now, double passed) {
  const auto& summary = session.summary();
  // Of few bodies the orbits are to be seen, which a camera that follows would hide.
  if (summary.bodies > most_followed || summary.bodies < few_enough_for_trails) return;
  if (now - looked_ >= look_interval && session.frame().steps != step_) {
    looked_ = now;
    step_ = session.frame().steps;
    const auto view = std::exchange(wanted_.view, std::nullopt);
    to_ = framed(session, fit, aspect);
    wanted_.view = view;
  }
  set_between(base_, base_, to_, 1.0 - std::exp(-passed / follow_seconds));
}

}  // namespace orrery::app
