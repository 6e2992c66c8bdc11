#include "app/live/demo_camera.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <glm/gtc/quaternion.hpp>
#include <numbers>
#include <utility>

#include "app/picture/camera_follower.h"
#include "app/picture/trail_style.h"
#include "app/session/session.h"

namespace orrery::app {

namespace {

constexpr double flight_seconds = 1.4;
constexpr std::chrono::milliseconds look_interval{125};
/// In so many seconds most of the way to where the bodies have gone is made.
constexpr double follow_seconds = 0.35;
/// The part of the luminous bodies that is framed, unless a step says: what lies outside is faint.
constexpr double usual_share = 0.98;
/// This part of the box stays free at each side: bodies glow, and tails that fly out are ahead of the
/// camera.
constexpr double margin = 0.07;

double seconds_between(DemoCameraman::Clock::time_point from, DemoCameraman::Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

bool is_finite(const glm::dvec3& place) { return std::isfinite(glm::dot(place, place)); }

/// Slow at both ends.
double eased(double part) { return part * part * (3.0 - 2.0 * part); }

/// Where a camera frames, as it sees it.
PictureBox framed_part(const DemoRoom& room) {
  const glm::dvec2 axis{room.axis, 0.0}, inset = margin * (room.box.high - room.box.low);
  return {room.box.low - axis + inset, room.box.high - axis - inset};
}

/// A part of the way from one corner to another; the last bit of it, which nobody sees, at once.
glm::dvec2 glided(glm::dvec2 from, glm::dvec2 to, double part) {
  constexpr double unseen = 1e-4;
  return glm::distance(from, to) < unseen ? to : glm::mix(from, to, part);
}

/// Positions all over a sphere, evenly.
std::vector<glm::dvec3> sphere(glm::dvec3 center, double radius) {
  constexpr int count = 400;
  std::vector<glm::dvec3> places;
  for (int k = 0; k < count; ++k) {
    const double z = 1.0 - (2.0 * k + 1.0) / count, across = std::sqrt(1.0 - z * z);
    const double angle = 2.399963 * k;  // the golden angle
    places.push_back(center + radius * glm::dvec3(across * std::cos(angle), across * std::sin(angle), z));
  }
  return places;
}

/// Past the nearer of two galaxies at the other one, in a box of the picture.
render::Camera wide_pair_view(const SceneSummary& summary, const PictureBox& box) {
  const auto size = box.high - box.low;
  auto camera = view_of(summary, View::fit, size.x / std::max(size.y, 1e-3));
  const double half_height = camera.half_height() / std::max(0.5 * size.y, 1e-3);
  camera.field_of_view = static_cast<float>(2.0 * std::atan(half_height));
  camera.pan(0.5 * box.middle().x, 0.5 * box.middle().y);
  return camera;
}

}  // namespace

void DemoCameraman::choose_subject(Session& session) {
  const auto& start = session.summary();
  const bool few = shows_all(start);
  share_ = few ? 1.0 : wanted_.holds > 0.0 ? wanted_.holds : usual_share;
  if (few) {
    const bool moved = start.galaxies <= 1 && session.frame().steps > 0;
    const auto now = moved ? session.summary_now() : start;
    subject_ = Subject::resting;
    seen_ = sphere(now.view_center(), now.view_radius());
  } else if (start.luminous.pair && !wanted_.view && wanted_.holds <= 0.0) {
    subject_ = Subject::wide_pair;
    seen_.clear();
  } else {
    // Few bodies show their orbits, which a camera that follows would hide.
    subject_ = start.bodies < few_enough_for_trails ? Subject::resting : Subject::moving;
    seen_ = session.luminous_now();
  }
  followed_ = seen_;
  // A body at infinity would take the camera along.
  const auto known = std::ranges::find_if(seen_, is_finite);
  if (known != seen_.end()) std::ranges::replace_if(followed_, std::not_fn(is_finite), *known);
  framed_.reset();
}

/// The camera that the step wants, in that direction. It starts from the one that was found last.
render::Camera DemoCameraman::goal(const Session& session, const glm::dquat& orientation) {
  const auto box = framed_part(room_);
  if (subject_ == Subject::wide_pair) {
    auto camera = wide_pair_view(session.summary(), box);
    camera.zoom(wanted_.zoom, box.middle(), 1.0);
    return camera;
  }
  auto camera = session.camera;
  camera.field_of_view = render::Camera().field_of_view;
  camera.orientation = orientation;
  const bool resting = framed_ && framed_->orientation == orientation && framed_box_ == box && !moved_bodies_;
  if (!framed_)
    framed_ = framed_in(camera, followed_, box, share_);
  else if (!resting)
    framed_ = reframed_in(camera, *framed_, followed_, box, share_);
  framed_box_ = box;
  moved_bodies_ = false;
  camera.target = framed_->target;
  camera.distance = framed_->distance;
  camera.zoom(wanted_.zoom, box.middle(), 1.0);
  return camera;
}

void DemoCameraman::aim(Session& session, const DemoStep& step, const DemoRoom& room, bool first,
                        Clock::time_point now) {
  moved_ = now;
  if (!step.camera && !first) return;
  wanted_ = step.camera.value_or(DemoCamera());
  since_ = looked_ = now;
  time_ = session.frame().time;
  from_ = session.camera;
  from_axis_ = room_.axis;
  moving_ = true;
  flying_ = !first;
  settling_ = first ? 3 : 0;
  room_ = room;
  auto direction = session.camera;
  if (wanted_.view) direction.look(*wanted_.view);
  towards_ = direction.orientation;
  choose_subject(session);
  if (first) session.camera = goal(session, towards_);
  last_ = session.camera;
}

void DemoCameraman::move(Session& session, const DemoRoom& room, Clock::time_point now) {
  const double passed = std::min(seconds_between(std::exchange(moved_, now), now), 0.1);
  if (moving_ && session.camera != last_) moving_ = false;
  // A film asks again for the same moment until the state of its next frame is there.
  if (!moving_ || !(passed > 0.0)) return;
  const bool settles = settling_ > 0;
  look(session, room, now, passed);
  if (flying_) {
    const double part = std::min(seconds_between(since_, now) / flight_seconds, 1.0);
    flying_ = part < 1.0;
    const auto to = goal(session, towards_);
    auto from = from_;
    // The picture's free part may have moved: the bodies stand where they stood.
    from.pan(0.5 * (from_axis_ - room_.axis), 0.0);
    session.camera = to;
    session.camera.orientation = glm::slerp(from.orientation, to.orientation, eased(part));
    set_between(session.camera, from, to, eased(part));
  } else {
    session.camera.orbit(passed * wanted_.turn * std::numbers::pi / 180.0, 0.0);
    if (subject_ != Subject::wide_pair || settles) session.camera = goal(session, session.camera.orientation);
  }
  last_ = session.camera;
}

/// Where the bodies and the free part of the picture are now.
void DemoCameraman::look(const Session& session, const DemoRoom& room, Clock::time_point now, double passed) {
  const double near = 1.0 - std::exp(-passed / follow_seconds);
  const bool jumps = flying_ || settling_ > 0;
  settling_ = std::max(settling_ - 1, 0);
  room_.axis = room.axis;
  room_.box.low = glided(room_.box.low, room.box.low, jumps ? 1.0 : near);
  room_.box.high = glided(room_.box.high, room.box.high, jumps ? 1.0 : near);
  if (subject_ != Subject::moving) return;
  if (now - looked_ >= look_interval && session.frame().time != time_) {
    looked_ = now;
    time_ = session.frame().time;
    seen_ = session.luminous_now();
  }
  for (std::size_t k = 0; k < std::min(seen_.size(), followed_.size()); ++k) {
    if (followed_[k] == seen_[k] || !is_finite(seen_[k])) continue;
    followed_[k] = glm::mix(followed_[k], seen_[k], near);
    moved_bodies_ = true;
  }
}

}  // namespace orrery::app
