#include "sim/scene/body_filter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/bodies/bodies.h"
#include "sim/bodies/origin.h"
#include "sim/core/counted.h"
#include "sim/core/error.h"
#include "sim/core/letters.h"
#include "sim/core/message.h"
#include "sim/scene/scene.h"

namespace orrery::sim {

std::vector<double> parse_numbers(std::string_view text, std::string_view what, std::string_view form) {
  std::vector<double> numbers;
  for (std::size_t at = 0; at <= text.size();) {
    const auto end = std::min(text.find(',', at), text.size());
    auto part = text.substr(at, end - at);
    if (part.starts_with('+')) part.remove_prefix(1);
    const auto number = number_in<double>(part);
    if (!number || !std::isfinite(*number))
      throw UsageError(fmt::format("{} needs {}, not '{}'", what, form, printable(text, 60)));
    numbers.push_back(*number);
    at = end + 1;
  }
  return numbers;
}

namespace {

using Kept = std::vector<bool>;

constexpr std::string_view box_form = "two corners x,y,z,x,y,z";
constexpr std::string_view sphere_form = "a radius above 0, or x,y,z,radius";
constexpr std::string_view nearest_form = "a whole number of bodies from 1, or number,x,y,z";

std::vector<double> numbers_of(std::string_view text, std::string_view what, std::string_view form,
                               std::size_t one, std::size_t other) {
  auto numbers = parse_numbers(text, what, form);
  if (numbers.size() == one || numbers.size() == other) return numbers;
  throw UsageError(fmt::format("{} needs {}, not '{}'", what, form, text));
}

/// True for points inside a box whose corners may be given in any order.
bool inside(const std::array<double, 6>& box, const DVec3& p) {
  const auto between = [](double x, double a, double b) {
    return x >= std::min(a, b) && x <= std::max(a, b);
  };
  return between(p.x, box[0], box[3]) && between(p.y, box[1], box[4]) && between(p.z, box[2], box[5]);
}

double distance(const DVec3& p, const DVec3& centre) { return norm(p - centre); }

/// The bodies nearest to the centre; of bodies at the same distance the first ones.
Kept nearest_bodies(const Bodies& bodies, std::uint64_t count, const DVec3& centre) {
  std::vector<std::size_t> order(bodies.size());
  std::iota(order.begin(), order.end(), 0);
  std::vector<double> far;
  far.reserve(bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) far.push_back(distance(absolute_place(bodies, i), centre));
  const auto end = order.begin() + static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(count, order.size()));
  if (end != order.end())
    std::nth_element(order.begin(), end, order.end(), [&](std::size_t a, std::size_t b) {
      return far[a] < far[b] || (far[a] == far[b] && a < b);
    });
  Kept kept(bodies.size());
  for (auto each = order.begin(); each != end; ++each) kept[*each] = true;
  return kept;
}

/// Bodies, mass and what of it is taken, of a component of a galaxy.
struct ComponentShare {
  std::uint64_t bodies = 0, taken = 0;
  double mass = 0.0, mass_taken = 0.0;

  double mass_factor() const { return mass_taken > 0.0 ? mass / mass_taken : 1.0; }
  double charge_factor() const {
    return taken > 0 ? static_cast<double>(bodies) / static_cast<double>(taken) : 1.0;
  }
};

/// Every n-th of each component of one galaxy is marked, and its mass and charge take the others' part.
void thin_galaxy(Bodies& bodies, const GalaxyRange& galaxy, std::uint64_t n, Kept& kept) {
  std::array<ComponentShare, component_count> shares{};
  const auto share_of = [&](std::size_t i) -> ComponentShare& {
    return shares.at(static_cast<std::size_t>(bodies.component[i]));
  };
  for (std::size_t i = galaxy.first; i < galaxy.last; ++i) {
    auto& share = share_of(i);
    kept[i] = share.bodies++ % n == 0;
    share.mass += bodies.mass[i];
    if (!kept[i]) continue;
    ++share.taken;
    share.mass_taken += bodies.mass[i];
  }
  for (std::size_t i = galaxy.first; i < galaxy.last; ++i) {
    bodies.mass[i] = static_cast<float>(bodies.mass[i] * share_of(i).mass_factor());
    bodies.charge[i] = static_cast<float>(bodies.charge[i] * share_of(i).charge_factor());
  }
}

/// Takes the others away and says how many are left, `where`.
void keep_and_note(Scene& scene, const Kept& kept, const std::string& where) {
  const auto before = scene.bodies.size();
  keep_marked(scene, kept);
  if (scene.bodies.empty())
    throw Error(fmt::format("no body of '{}' is {}; choose a larger part", scene.title, where));
  scene.notes.push_back(fmt::format("{} of {} taken: {}",
                                    counted(scene.bodies.size(), "body is", "bodies are"), before, where));
}

void thin(Scene& scene, std::uint64_t n) {
  Kept kept(scene.bodies.size());
  for (const auto& galaxy : scene.bodies.galaxies()) thin_galaxy(scene.bodies, galaxy, n, kept);
  keep_and_note(scene, kept,
                fmt::format("one of {} of each component, with masses about {} times as large, so that the "
                            "mass of each component stays",
                            n, n));
}

}  // namespace

void set_box(BodyFilter& filter, std::string_view text) {
  const auto n = numbers_of(text, "in-box", box_form, 6, 6);
  filter.box = {n[0], n[1], n[2], n[3], n[4], n[5]};
}

void set_sphere(BodyFilter& filter, std::string_view text) {
  const auto n = numbers_of(text, "in-sphere", sphere_form, 1, 4);
  if (n.back() <= 0.0) throw UsageError(fmt::format("in-sphere needs {}, not '{}'", sphere_form, text));
  filter.radius = n.back();
  if (n.size() == 4) filter.centre = {n[0], n[1], n[2]};
}

void set_nearest(BodyFilter& filter, std::string_view text) {
  const auto n = numbers_of(text, "nearest", nearest_form, 1, 4);
  if (n[0] < 1.0 || n[0] > 1e12 || n[0] != std::floor(n[0]))
    throw UsageError(fmt::format("nearest needs {}, not '{}'", nearest_form, text));
  filter.nearest = static_cast<std::uint64_t>(n[0]);
  if (n.size() == 4) filter.centre = {n[1], n[2], n[3]};
}

DVec3 median_place(const Bodies& bodies) {
  if (bodies.empty()) return {};
  std::vector<float> values(bodies.size());
  const auto median = [&](float Vec3::*axis) {
    std::ranges::transform(bodies.position, values.begin(), axis);
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return double{*middle};
  };
  return bodies.origin + DVec3{median(&Vec3::x), median(&Vec3::y), median(&Vec3::z)};
}

void keep_components(Scene& scene, const ComponentSet& wanted) {
  if (wanted.all()) return;
  Kept kept;
  kept.reserve(scene.bodies.size());
  for (const auto component : scene.bodies.component) kept.push_back(wanted.has(component));
  keep_marked(scene, kept);
}

void keep_marked(Scene& scene, const std::vector<bool>& kept) {
  keep(scene.names, kept);
  keep(scene.radii, kept);
  keep_bodies(scene.bodies, kept);
}

void apply_filter(Scene& scene, const BodyFilter& filter) {
  const auto mark = [&](const auto& wanted) {
    Kept kept;
    kept.reserve(scene.bodies.size());
    for (std::size_t i = 0; i < scene.bodies.size(); ++i)
      kept.push_back(wanted(absolute_place(scene.bodies, i)));
    return kept;
  };
  if (filter.takes_all()) return;
  if (filter.box)
    keep_and_note(scene, mark([&](const DVec3& p) { return inside(*filter.box, p); }), "in the box");
  const auto centre = filter.centre ? *filter.centre : median_place(scene.bodies);
  const auto about = fmt::format("{:.4g}, {:.4g}, {:.4g}", centre.x, centre.y, centre.z);
  if (filter.radius)
    keep_and_note(scene, mark([&](const DVec3& p) { return distance(p, centre) <= *filter.radius; }),
                  fmt::format("within {:.4g} of {}", *filter.radius, about));
  if (filter.nearest > 0)
    keep_and_note(scene, nearest_bodies(scene.bodies, filter.nearest, centre), "nearest to " + about);
  if (filter.every_nth > 1) thin(scene, filter.every_nth);
}

}  // namespace orrery::sim
