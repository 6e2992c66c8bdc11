#include "render/picture/camera_path.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace orrery::render {

namespace {

constexpr std::array<std::string_view, easing_count> easing_names{"smooth", "linear", "rest", "hold"};
/// Keys nearer than this are one.
constexpr double same_time = 1e-3;

/// A cubic from `from` to `to` with slopes per share of the way (Hermite).
template <typename Value>
Value hermite(Value from, Value to, Value from_slope, Value to_slope, double u) {
  const double u2 = u * u, u3 = u2 * u;
  return from * (2.0 * u3 - 3.0 * u2 + 1.0) + from_slope * (u3 - 2.0 * u2 + u) + to * (3.0 * u2 - 2.0 * u3) +
         to_slope * (u3 - u2);
}

/// Per second at key `i`: that of the parabola through it and its neighbours.
template <typename Get>
auto slope(std::span<const CameraKey> keys, std::size_t i, Get get) {
  const auto step = [&](std::size_t k) { return keys[k + 1].time - keys[k].time; };
  const auto rate = [&](std::size_t k) { return (get(keys[k + 1]) - get(keys[k])) * (1.0 / step(k)); };
  if (i == 0) return rate(0);
  if (i + 1 == keys.size()) return rate(i - 1);
  return (rate(i - 1) * step(i) + rate(i) * step(i - 1)) * (1.0 / (step(i - 1) + step(i)));
}

/// A value of the cameras between key `i` and the next.
template <typename Get>
auto spline(std::span<const CameraKey> keys, std::size_t i, double u, Get get) {
  const double seconds = keys[i + 1].time - keys[i].time;
  const auto from = get(keys[i]), to = get(keys[i + 1]);
  if (keys[i].easing == Easing::linear) return from + (to - from) * u;
  return hermite(from, to, slope(keys, i, get) * seconds, slope(keys, i + 1, get) * seconds, u);
}

/// The logarithm of a unit quaternion: a rotation vector of half the angle.
glm::dvec3 log_of(const glm::dquat& q) {
  const glm::dvec3 v(q.x, q.y, q.z);
  const double sine = glm::length(v);
  return sine < 1e-12 ? glm::dvec3(0.0) : v * (std::atan2(sine, q.w) / sine);
}

glm::dquat exp_of(glm::dvec3 v) {
  const double angle = glm::length(v);
  const auto axis = angle < 1e-12 ? glm::dvec3(0.0) : v * (std::sin(angle) / angle);
  return {std::cos(angle), axis.x, axis.y, axis.z};
}

/// Along the arc from `a` to `b` as they are: also the long way.
glm::dquat along_arc(const glm::dquat& a, const glm::dquat& b, double u) {
  return glm::normalize(a * exp_of(log_of(glm::conjugate(a) * b) * u));
}

/// The inner control point of squad at key `i`.
glm::dquat inner(std::span<const CameraKey> keys, std::size_t i) {
  const auto& q = keys[i].camera.orientation;
  if (i == 0 || i + 1 == keys.size()) return q;
  const auto to = [&](std::size_t k) { return log_of(glm::conjugate(q) * keys[k].camera.orientation); };
  return glm::normalize(q * exp_of((to(i - 1) + to(i + 1)) * -0.25));
}

glm::dquat turned(std::span<const CameraKey> keys, std::size_t i, double u) {
  const auto arc = along_arc(keys[i].camera.orientation, keys[i + 1].camera.orientation, u);
  if (keys[i].easing == Easing::linear) return arc;
  const auto control = along_arc(inner(keys, i), inner(keys, i + 1), u);
  return along_arc(arc, control, 2.0 * u * (1.0 - u));
}

double eased(Easing easing, double u) {
  if (easing == Easing::rest) return u * u * (3.0 - 2.0 * u);
  return easing == Easing::hold ? 0.0 : u;
}

Camera looking(Camera camera, glm::dvec3 eye, glm::dvec3 at, glm::dvec3 up) {
  const auto line = at - eye;
  camera.distance = glm::length(line);
  const auto forward = line / camera.distance;
  const auto right = glm::normalize(glm::cross(forward, up));
  camera.orientation =
      glm::normalize(glm::quat_cast(glm::dmat3(right, glm::cross(right, forward), -forward)));
  camera.target = at;
  return camera;
}

}  // namespace

std::string_view easing_name(Easing easing) { return easing_names.at(static_cast<std::size_t>(easing)); }

std::optional<Easing> find_easing(std::string_view name) {
  const auto* found = std::ranges::find(easing_names, name);
  if (found == easing_names.end()) return std::nullopt;
  return static_cast<Easing>(found - easing_names.begin());
}

CameraPath::CameraPath(const std::vector<CameraKey>& keys) {
  for (const auto& key : keys) set(key);
}

void CameraPath::set(const CameraKey& key) {
  const auto at = std::ranges::lower_bound(keys_, key.time - same_time, {}, &CameraKey::time);
  if (at != keys_.end() && at->time <= key.time + same_time)
    *at = key;
  else
    keys_.insert(at, key);
  take_short_ways();
}

void CameraPath::remove(std::size_t key) {
  if (key < keys_.size()) keys_.erase(keys_.begin() + static_cast<std::ptrdiff_t>(key));
  take_short_ways();
}

/// A quaternion and its negative are one orientation; the nearer to the one before is the shorter way.
void CameraPath::take_short_ways() {
  for (std::size_t i = 1; i < keys_.size(); ++i) {
    auto& q = keys_[i].camera.orientation;
    if (glm::dot(keys_[i - 1].camera.orientation, q) < 0.0) q = -q;
  }
}

Camera CameraPath::at(double time) const {
  if (time <= keys_.front().time) return keys_.front().camera;
  if (time >= keys_.back().time) return keys_.back().camera;
  const auto next = std::ranges::upper_bound(keys_, time, {}, &CameraKey::time);
  const auto i = static_cast<std::size_t>(next - keys_.begin()) - 1;
  const double share = (time - keys_[i].time) / (next->time - keys_[i].time);
  return between(i, eased(keys_[i].easing, share));
}

Camera CameraPath::between(std::size_t i, double u) const {
  const auto& from = keys_[i].camera;
  const auto& to = keys_[i + 1].camera;
  Camera camera = from;
  camera.orientation = turned(keys_, i, u);
  const auto log_distance = [](const CameraKey& key) { return std::log(key.camera.distance); };
  const auto log_angle = [](const CameraKey& key) { return std::log(double{key.camera.field_of_view}); };
  camera.distance = std::exp(spline(keys_, i, u, log_distance));
  camera.field_of_view = std::min(static_cast<float>(std::exp(spline(keys_, i, u, log_angle))), 3.0F);
  const bool flies = from.mode == Camera::Mode::fly || to.mode == Camera::Mode::fly;
  if (flies) {
    const auto eye = spline(keys_, i, u, [](const CameraKey& key) { return key.camera.position(); });
    camera.target = eye + camera.forward() * camera.distance;
  } else {
    camera.target = spline(keys_, i, u, [](const CameraKey& key) { return key.camera.target; });
  }
  return camera;
}

CameraPath orbit_path(const Camera& camera, glm::dvec3 axis, double seconds) {
  constexpr int parts = 8;
  constexpr double turn = 6.283185307179586;
  std::vector<CameraKey> keys;
  for (int i = 0; i <= parts; ++i) {
    auto view = camera;
    view.mode = Camera::Mode::orbit;
    const double share = static_cast<double>(i) / parts;
    view.orientation = glm::normalize(glm::angleAxis(turn * share, axis) * camera.orientation);
    keys.push_back({seconds * share, view, Easing::smooth});
  }
  return CameraPath(std::move(keys));
}

CameraPath fly_through_path(const Camera& camera, glm::dvec3 middle, double radius, glm::dvec3 axis,
                            double seconds) {
  // Across the disk, from where the camera stands.
  auto ahead = camera.forward() - axis * glm::dot(camera.forward(), axis);
  if (glm::length(ahead) < 1e-3) ahead = camera.up() - axis * glm::dot(camera.up(), axis);
  ahead = glm::normalize(ahead);
  const auto side = glm::cross(ahead, axis);
  const auto place = [&](double along, double aside, double up) {
    return middle + (ahead * along + side * aside + axis * up) * radius;
  };
  auto flying = camera;
  flying.mode = Camera::Mode::fly;
  const auto key = [&](double share, glm::dvec3 eye, glm::dvec3 at) {
    return CameraKey{seconds * share, looking(flying, eye, at, axis), Easing::smooth};
  };
  return CameraPath({{0.0, flying, Easing::smooth},
                     key(0.32, place(-1.25, 0.18, 0.32), place(0.0, 0.0, 0.0)),
                     key(0.52, place(-0.50, 0.30, 0.10), place(0.05, 0.05, 0.0)),
                     key(0.66, place(0.05, 0.38, 0.08), place(0.08, -0.05, 0.0)),
                     key(0.80, place(0.60, 0.15, 0.20), place(0.02, -0.02, 0.0)),
                     key(1.00, place(2.10, -0.70, 1.10), place(0.0, 0.0, 0.0))});
}

}  // namespace orrery::render
