#include "app/picture/framing.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "app/picture/places.h"
#include "sim/core/error.h"

namespace orrery::app {

namespace {

const glm::dvec3 axis_x{1.0, 0.0, 0.0};
const glm::dvec3 axis_z{0.0, 0.0, 1.0};

constexpr std::array<std::string_view, 4> view_names{"fit", "face-on", "edge-on", "three-quarter"};

bool is_dark(sim::Component component) { return component == sim::Component::halo; }

/// The number of luminous bodies; where all are dark, that of all.
std::size_t count_luminous(const sim::Bodies& bodies) {
  const auto dark = static_cast<std::size_t>(std::ranges::count_if(bodies.component, is_dark));
  return dark < bodies.size() ? bodies.size() - dark : dark;
}

/// Every `stride`-th of the `count` luminous bodies.
std::vector<std::size_t> luminous_indices(const sim::Bodies& bodies, std::size_t count, std::size_t stride) {
  const bool all = count == bodies.size();
  std::vector<std::size_t> indices;
  std::size_t skip = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (!all && is_dark(bodies.component[i])) continue;
    if (skip == 0) indices.push_back(i);
    skip = skip == 0 ? stride - 1 : skip - 1;
  }
  return indices;
}

glm::dvec3 unit(glm::dvec3 v, glm::dvec3 otherwise) {
  const double length = glm::length(v);
  return length > 0.0 && std::isfinite(length) ? v / length : otherwise;
}

/// The angular momentum around the centre, and which part of it is left after adding: 1 where all turn alike.
struct Turning {
  glm::dvec3 axis{0.0};
  double order = 0.0;
};

Turning turning_of(const Luminous& light, const sim::Bodies& bodies) {
  glm::dvec3 drift{0.0};
  for (const auto i : light.indices) drift += to_glm(bodies.velocity[i]);
  drift /= static_cast<double>(light.indices.size());
  glm::dvec3 sum{0.0};
  double amount = 0.0;
  for (std::size_t k = 0; k < light.places.size(); ++k) {
    const auto v = to_glm(bodies.velocity[light.indices[k]]) - drift;
    const auto momentum = glm::cross(light.places[k] - light.center, v);
    sum += momentum;
    amount += glm::length(momentum);
  }
  return {unit(sum, axis_z), amount > 0.0 ? glm::length(sum) / amount : 0.0};
}

/// The second moments of the positions within the radius that holds 90 % of them.
glm::dmat3 moments_of(const Luminous& light) {
  const auto distance = [&](const glm::dvec3& place) { return glm::length(place - light.center); };
  const double limit = percentile_of(light.places, usual_framing.share, distance);
  glm::dmat3 sum{0.0};
  for (const auto& place : light.places) {
    const auto r = place - light.center;
    if (glm::length(r) <= limit) sum += glm::outerProduct(r, r);
  }
  return sum;
}

/// The axis along which the moments are least, by inverse iteration with the adjugate; z where no axis is
/// shorter than 0.8 of the others.
glm::dvec3 flattest_axis(const glm::dmat3& moments) {
  const double trace = moments[0][0] + moments[1][1] + moments[2][2];
  if (!(trace > 0.0)) return axis_z;
  const auto inverse = glm::inverse(moments + glm::dmat3(1e-6 * trace));
  glm::dvec3 axis = glm::normalize(glm::dvec3(0.31, 0.47, 0.83));
  for (int k = 0; k < 200; ++k) axis = unit(inverse * axis, axis_z);
  const double along = glm::dot(axis, moments * axis);
  const double across = 0.5 * (trace - along);
  if (along > 0.64 * across) return axis_z;
  return axis.z < 0.0 ? -axis : axis;
}

glm::dvec3 spin_of(const Luminous& light, const sim::Bodies& bodies) {
  constexpr double enough_order = 0.3;
  const auto turning = turning_of(light, bodies);
  return turning.order > enough_order ? turning.axis : flattest_axis(moments_of(light));
}

/// The shortest turn that takes the z axis to `axis`.
glm::dquat turn_from_z(glm::dvec3 axis) {
  const auto around = glm::cross(axis_z, axis);
  const double sine = glm::length(around);
  if (sine < 1e-9) return axis.z > 0.0 ? glm::dquat(1, 0, 0, 0) : glm::angleAxis(std::acos(-1.0), axis_x);
  return glm::angleAxis(std::atan2(sine, axis.z), around / sine);
}

/// Looking down at a disk in the x-y plane whose axis leans by `inclination` away from the line of sight, the
/// picture then turned by `roll` (degrees).
glm::dquat looking_down(double inclination, double azimuth, double roll) {
  const auto radians = [](double degrees) { return degrees * std::acos(-1.0) / 180.0; };
  return glm::normalize(glm::angleAxis(radians(azimuth), axis_z) *
                        glm::angleAxis(radians(inclination), axis_x) * glm::angleAxis(radians(roll), axis_z));
}

glm::dquat orientation_of(View view) {
  switch (view) {
    case View::face_on:
      return looking_down(0.0, 0.0, 0.0);
    case View::edge_on:
      return looking_down(90.0, 0.0, 0.0);
    case View::three_quarter:
      return looking_down(68.0, -17.0, 0.0);
    case View::fit:
      break;
  }
  return looking_down(52.0, -17.0, 14.0);
}

/// Where places are seen: half heights of the picture right of and above the middle; none behind the camera.
std::vector<glm::dvec2> seen(const render::Camera& camera, const std::vector<glm::dvec3>& places) {
  const auto eye = camera.position(), forward = camera.forward(), right = camera.right(), up = camera.up();
  const double half_height = camera.half_height();
  std::vector<glm::dvec2> all;
  all.reserve(places.size());
  for (const auto& place : places) {
    const auto from_eye = place - eye;
    const double depth = glm::dot(from_eye, forward);
    if (depth > camera.near_plane())
      all.push_back(glm::dvec2(glm::dot(from_eye, right), glm::dot(from_eye, up)) / (depth * half_height));
  }
  return all;
}

/// Halfway between the values beyond which equal parts of those that are not framed lie.
double middle_of(std::vector<double>& values, double share) {
  const double outer = 0.5 * (1.0 - share);
  return 0.5 * (sim::percentile(values, outer) + sim::percentile(values, 1.0 - outer));
}

/// The middle along each axis of the camera, so that two galaxies are both framed.
glm::dvec3 middle_of(const render::Camera& camera, const std::vector<glm::dvec3>& places, double share) {
  glm::dvec3 middle{0.0};
  std::vector<double> along(places.size());
  for (const auto& axis : {camera.right(), camera.up(), camera.forward()}) {
    std::ranges::transform(places, along.begin(), [&](const glm::dvec3& p) { return glm::dot(p, axis); });
    middle += axis * middle_of(along, share);
  }
  return middle;
}

/// The middle of what is seen. It is not where the middle of the positions is seen: of a tilted disk the near
/// half is larger than the far one.
glm::dvec2 middle_of(const std::vector<glm::dvec2>& seen, double share) {
  std::vector<double> x, y;
  for (const auto& at : seen) {
    x.push_back(at.x);
    y.push_back(at.y);
  }
  return {middle_of(x, share), middle_of(y, share)};
}

void center(render::Camera& camera, const std::vector<glm::dvec3>& places, double share) {
  const auto at = seen(camera, places);
  if (at.empty()) return;
  const auto shift = middle_of(at, share) * camera.distance * camera.half_height();
  camera.target += camera.right() * shift.x + camera.up() * shift.y;
}

/// By how much the distance has to grow so that the positions are framed.
double growth(const render::Camera& camera, const std::vector<glm::dvec3>& places, double aspect,
              const Framing& framing) {
  constexpr double unseen = 1e3;
  const auto all = seen(camera, places);
  std::vector<double> values(places.size());
  const auto part_of = [&](auto value) {
    std::ranges::fill(values, unseen);
    std::ranges::transform(all, values.begin(), value);
    return sim::percentile(values, framing.share);
  };
  const double wide = std::max(part_of([](glm::dvec2 at) { return std::abs(at.x); }), 1e-9);
  const double high = std::max(part_of([](glm::dvec2 at) { return std::abs(at.y); }), 1e-9);
  const double scale = framing.part * std::min(aspect / wide, 1.0 / high);
  const glm::dvec2 ellipse{scale * wide, scale * high};
  return part_of([&](glm::dvec2 at) { return glm::length(at / ellipse); });
}

/// Steps towards where nothing is left to correct. Of what is near the camera each goes too far: one that has
/// to be taken back is followed by shorter ones.
class Damped {
 public:
  glm::dvec2 step(glm::dvec2 wanted) {
    if (glm::dot(wanted, before_) < 0.0) share_ = std::max(0.7 * share_, 0.15);
    before_ = wanted;
    return share_ * wanted;
  }

 private:
  double share_ = 1.0;
  glm::dvec2 before_{0.0};
};

/// By how much the distance has to grow so that `share` of `count` positions lie in a box of that size;
/// `seen` are those that are seen, around `middle`.
double growth_in(const std::vector<glm::dvec2>& seen, glm::dvec2 middle, std::size_t count,
                 glm::dvec2 half_box, double share) {
  constexpr double unseen = 1e3;
  std::vector<double> values(count, unseen);
  std::ranges::transform(seen, values.begin(), [&](glm::dvec2 at) {
    const auto from_middle = glm::abs(at - middle) / half_box;
    return std::max(from_middle.x, from_middle.y);
  });
  // At least that share, of few positions too.
  const auto all = static_cast<double>(count);
  const double fraction = count > 1 ? std::min(share * all / (all - 1.0), 1.0) : 1.0;
  const double needed = sim::percentile(values, fraction);
  // Positions at one point have no size that could fill the box.
  return needed > 0.0 ? std::clamp(needed, 0.1, 10.0) : 1.0;
}

glm::dvec2 half_size(const PictureBox& box) { return glm::max(0.5 * (box.high - box.low), glm::dvec2(1e-3)); }

/// Moves a camera aside and away until `share` of the positions fill the box. The last correction is made
/// however small it is: a camera that is called once a frame then glides.
void fill(render::Camera& camera, const std::vector<glm::dvec3>& places, const PictureBox& box,
          double share) {
  constexpr int most_rounds = 60;
  constexpr double enough = 1e-3;
  const auto half = half_size(box);
  const double half_height = camera.half_height();
  Damped aside, away;
  for (int round = 0; round < most_rounds; ++round) {
    const auto at = seen(camera, places);
    const auto middle = at.empty() ? box.middle() : middle_of(at, share);
    const auto off = middle - box.middle();
    const double growth = std::log(growth_in(at, middle, places.size(), half, share));
    if (!std::isfinite(growth + off.x + off.y)) return;
    const auto shift = aside.step(off);
    camera.target += (camera.right() * shift.x + camera.up() * shift.y) * (camera.distance * half_height);
    camera.zoom(std::exp(-away.step({growth, 0.0}).x), box.middle(), 1.0);
    if (glm::length(off / half) < enough && std::abs(growth) < enough) break;
  }
}

/// Frames the first of two galaxies that are far apart.
void see_first(Luminous& light, const sim::Bodies& bodies) {
  light.center = light.pair->first.center;
  light.half_radius = light.pair->first.half_radius;
  Luminous first;
  first.center = light.center;
  for (std::size_t k = 0; k < light.places.size(); ++k) {
    if (glm::distance(light.places[k], light.center) > 2.0 * light.pair->first.radius) continue;
    first.places.push_back(light.places[k]);
    first.indices.push_back(light.indices[k]);
  }
  light.spin = spin_of(first, bodies);
}

/// The number of square cells of that side that have a position in them, seen from far away.
std::size_t cells_covered(const std::vector<glm::dvec3>& places, const render::Camera& camera, double side) {
  std::vector<std::pair<double, double>> cells;
  cells.reserve(places.size());
  for (const auto& place : places)
    cells.emplace_back(std::floor(glm::dot(place, camera.right()) / side),
                       std::floor(glm::dot(place, camera.up()) / side));
  std::ranges::sort(cells);
  return static_cast<std::size_t>(std::unique(cells.begin(), cells.end()) - cells.begin());
}

/// Evenly spread, about as many as tell disks from lines, without those that are no numbers any more.
std::vector<glm::dvec3> some_of(const std::vector<glm::dvec3>& places, glm::dvec3 center) {
  constexpr std::size_t enough = 2000;
  const std::size_t stride = std::max<std::size_t>(1, places.size() / enough);
  std::vector<glm::dvec3> some;
  for (std::size_t k = 0; k < places.size(); k += stride) {
    const auto place = places[k] - center;
    if (std::isfinite(place.x + place.y + place.z)) some.push_back(place);
  }
  return some;
}

}  // namespace

View view_from_name(const std::string& name) {
  const auto found = std::ranges::find(view_names, name);
  if (found == view_names.end())
    throw sim::UsageError(
        fmt::format("--view takes fit, face-on, edge-on, three-quarter or a file, not '{}'", name));
  return static_cast<View>(found - view_names.begin());
}

Luminous luminous_bodies(const sim::Bodies& bodies, std::size_t most) {
  Luminous light;
  light.count = count_luminous(bodies);
  const std::size_t stride = std::max<std::size_t>(1, (light.count + most - 1) / most);
  light.indices = luminous_indices(bodies, light.count, stride);
  for (const auto i : light.indices) light.places.push_back(to_glm(bodies.position[i]));
  if (light.places.empty()) return light;
  light.center = median_of(light.places);
  light.half_radius = percentile_of(
      light.places, 0.5, [&](const glm::dvec3& place) { return glm::length(place - light.center); });
  light.spin = spin_of(light, bodies);
  light.pair = wide_pair(light.places);
  if (light.pair) see_first(light, bodies);
  return light;
}

bool gives_light(const sim::Bodies& bodies, const Luminous& light, std::size_t index) {
  return light.count == bodies.size() || !is_dark(bodies.component[index]);
}

std::vector<BodyRun> luminous_runs(const sim::Bodies& bodies, const Luminous& light) {
  constexpr std::size_t runs = 64, bodies_per_run = 16, longest = 1024;
  std::vector<BodyRun> all;
  for (std::size_t run = 0; run < runs; ++run) {
    const auto begin = run * light.indices.size() / runs, next = (run + 1) * light.indices.size() / runs;
    if (begin == next) continue;
    const auto first = light.indices[begin];
    const auto limit = next < light.indices.size() ? light.indices[next] : bodies.size();
    std::size_t end = first, found = 0;
    for (std::size_t i = first; i < std::min(limit, first + longest) && found < bodies_per_run; ++i) {
      if (!gives_light(bodies, light, i)) continue;
      end = i + 1;
      ++found;
    }
    if (!all.empty() && all.back().first + all.back().count == first)
      all.back().count = end - all.back().first;
    else
      all.push_back({first, end - first});
  }
  return all;
}

render::Camera towards(View view, glm::dvec3 spin, double turn_degrees) {
  render::Camera camera;
  const auto turn = glm::angleAxis(glm::radians(turn_degrees), glm::dvec3(0.0, 0.0, 1.0));
  camera.orientation = glm::normalize(turn_from_z(spin) * turn * orientation_of(view));
  return camera;
}

double open_turn(const std::vector<glm::dvec3>& places, glm::dvec3 center, glm::dvec3 spin, double radius) {
  constexpr double clearly = 1.5;
  constexpr int turns = 12;
  if (!(radius > 0.0)) return 0.0;
  const auto some = some_of(places, center);
  const auto covered = [&](double turn) {
    return static_cast<double>(cells_covered(some, towards(View::fit, spin, turn), 0.1 * radius));
  };
  double best = 0.0, most = clearly * covered(0.0);
  for (int k = 1; k < turns; ++k) {
    const double turn = 360.0 / turns * k, here = covered(turn);
    if (here > most) {
      best = turn;
      most = here;
    }
  }
  return best;
}

double share_in_picture(const render::Camera& camera, const std::vector<glm::dvec3>& places, double aspect) {
  if (places.empty()) return 1.0;
  const auto inside = std::ranges::count_if(seen(camera, places), [&](const glm::dvec2& at) {
    return std::abs(at.x) <= aspect && std::abs(at.y) <= 1.0;
  });
  return static_cast<double>(inside) / static_cast<double>(places.size());
}

render::Camera framed_in(render::Camera camera, const std::vector<glm::dvec3>& places, const PictureBox& box,
                         double share) {
  if (places.empty()) return camera;
  const double half_height = camera.half_height();
  camera.target = middle_of(camera, places, share);
  const double size = percentile_of(
      places, share, [&](const glm::dvec3& place) { return glm::length(place - camera.target); });
  const auto half = half_size(box);
  // Positions at one point still want a view of finite size; their middle is rounded.
  const bool has_size = size > 1e-12 * glm::length(camera.target);
  camera.distance = has_size ? 2.0 * size / (half_height * std::min({half.x, half.y, 1.0})) : 1.0;
  fill(camera, places, box, share);
  return camera;
}

render::Camera reframed_in(render::Camera camera, const render::Camera& before,
                           const std::vector<glm::dvec3>& places, const PictureBox& box, double share) {
  if (places.empty()) return camera;
  const auto forward = camera.forward();
  std::vector<double> depths(places.size());
  std::ranges::transform(places, depths.begin(), [&](const glm::dvec3& p) { return glm::dot(p, forward); });
  camera.target = before.target + forward * (middle_of(depths, share) - glm::dot(before.target, forward));
  camera.distance = before.distance;
  fill(camera, places, box, share);
  return camera;
}

render::Camera framed(render::Camera camera, const std::vector<glm::dvec3>& places, double aspect,
                      const Framing& framing) {
  if (places.empty()) return camera;
  camera.target = middle_of(camera, places, framing.share);
  const double size = percentile_of(
      places, framing.share, [&](const glm::dvec3& place) { return glm::length(place - camera.target); });
  // Bodies in one place still want a view of finite size.
  camera.distance = size > 0.0 ? 4.0 * size : 1.0;
  // Sizes go with 1 / distance but for the depth of the scene: a few rounds are enough.
  for (int round = 0; round < 8 && size > 0.0; ++round) {
    center(camera, places, framing.share);
    camera.distance = std::clamp(camera.distance * growth(camera, places, aspect, framing), 1e-30, 1e30);
  }
  return camera;
}

}  // namespace orrery::app
