#include "sim/scene/placement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "sim/bodies/bodies.h"
#include "sim/bodies/origin.h"
#include "sim/core/counted.h"
#include "sim/core/error.h"
#include "sim/core/letters.h"
#include "sim/core/percentile.h"
#include "sim/physics/diagnostics/diagnostics.h"
#include "sim/scene/body_filter.h"
#include "sim/scene/unit_systems.h"

namespace orrery::sim {

namespace {

constexpr std::string_view form =
    "x,y,z[:vx,vy,vz[:ax,ay,az,degrees]] (place, velocity, axis and angle of a rotation) or auto";

DVec3 vector_of(std::string_view text) {
  const auto numbers = parse_numbers(text, "--offset", form);
  if (numbers.size() != 3) throw UsageError(fmt::format("--offset needs {}, not '{}'", form, text));
  return {numbers[0], numbers[1], numbers[2]};
}

/// v turned about the unit vector k (Rodrigues' rotation formula).
struct Rotation {
  DVec3 k;
  double cosine = 1.0, sine = 0.0;

  explicit Rotation(const Placement& placement) : k(placement.axis) {
    const double length = norm(k);
    if (length == 0.0) return;
    k *= 1.0 / length;
    cosine = std::cos(placement.degrees * std::numbers::pi / 180.0);
    sine = std::sin(placement.degrees * std::numbers::pi / 180.0);
  }
  DVec3 of(const DVec3& v) const {
    return v * cosine + cross(k, v) * sine + k * (dot(k, v) * (1.0 - cosine));
  }
};

/// Mean position and velocity, by mass; of massless bodies by number.
struct Centre {
  DVec3 position, velocity;
  double mass = 0.0;
};
Centre centre_of(const Bodies& bodies) {
  Centre centre;
  for (const float m : bodies.mass) centre.mass += m;
  double total = 0.0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const double weight = centre.mass > 0.0 ? bodies.mass[i] : 1.0;
    centre.position += weight * absolute_place(bodies, i);
    centre.velocity += weight * static_cast<DVec3>(bodies.velocity[i]);
    total += weight;
  }
  if (total == 0.0) return centre;
  centre.position *= 1.0 / total;
  centre.velocity *= 1.0 / total;
  return centre;
}

/// Holds nine bodies of ten, about `centre`.
double r90_of(const Bodies& bodies, const DVec3& centre) {
  std::vector<double> radii;
  radii.reserve(bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) radii.push_back(norm(absolute_place(bodies, i) - centre));
  return radii.empty() ? 0.0 : nth_smallest(radii, (radii.size() - 1) * 9 / 10);
}

bool has_units(const Scene& scene) { return scene.units.length > 0.0 && scene.units.time > 0.0; }
bool knows_gravity(const Scene& scene) { return scene.states_physics || scene.states_gravity; }

/// Factors from the units of `next` to those of `scene`. G stays G: masses follow.
UnitScales scales_between(const Scene& scene, const Scene& next) {
  UnitScales scales;
  if (has_units(scene) && has_units(next)) {
    scales.length = next.units.length / scene.units.length;
    scales.velocity = scales.length * scene.units.time / next.units.time;
  }
  const double ours = scene.physics.gravitational_constant, theirs = next.physics.gravitational_constant;
  if (knows_gravity(scene) && knows_gravity(next) && ours > 0.0 && theirs > 0.0)
    scales.mass = theirs * scales.length * scales.velocity * scales.velocity / ours;
  return scales;
}

/// Ids must stay different.
void separate_ids(const Bodies& first, Bodies& next) {
  auto ids = first.id;
  std::ranges::sort(ids);
  const auto taken = [&](std::uint64_t id) { return std::ranges::binary_search(ids, id); };
  if (ids.empty() || std::ranges::none_of(next.id, taken)) return;
  const auto largest = *std::ranges::max_element(next.id);
  if (ids.back() < UINT64_MAX - largest) {
    for (auto& id : next.id) id += ids.back() + 1;
    return;
  }
  std::uint64_t free = 0;
  for (auto& id : next.id) {
    while (taken(free)) ++free;
    id = free++;
  }
}

void join_names(Scene& scene, const Scene& next, std::size_t before) {
  if (scene.names.empty() && next.names.empty()) return;
  scene.names.resize(before);
  scene.radii.resize(before);
  scene.names.insert(scene.names.end(), next.names.begin(), next.names.end());
  scene.radii.insert(scene.radii.end(), next.radii.begin(), next.radii.end());
  scene.names.resize(scene.bodies.size());
  scene.radii.resize(scene.bodies.size());
}

/// Joins the notes; those of `next` keep its name.
void join_notes(Scene& scene, const Scene& next) {
  for (const auto& note : next.notes) scene.notes.push_back(fmt::format("{}: {}", next.title, note));
}

}  // namespace

Placement parse_placement(std::string_view text) {
  Placement placement;
  auto parts = split_text(text, ':');
  if (parts.size() > 3 || text.ends_with(':'))
    throw UsageError(fmt::format("--offset needs {}, not '{}'", form, text));
  parts.resize(3);
  placement.thrown = parts[0] == "auto";
  if (!placement.thrown) placement.position = vector_of(parts[0]);
  if (!parts[1].empty()) placement.velocity = vector_of(parts[1]);
  if (parts[2].empty()) return placement;
  const auto turn = parse_numbers(parts[2], "--offset", form);
  if (turn.size() != 4 || norm(DVec3{turn[0], turn[1], turn[2]}) == 0.0)
    throw UsageError(
        "--offset: a rotation has an axis that is not 0 and an angle in degrees, like 0,0,1,90 (ax,ay,az,"
        "degrees)");
  placement.axis = {turn[0], turn[1], turn[2]};
  placement.degrees = turn[3];
  return placement;
}

std::string to_string(const Placement& placement) {
  const auto& [x, v, k, degrees, thrown] = placement;
  return fmt::format("{}:{},{},{}{}", thrown ? "auto" : fmt::format("{},{},{}", x.x, x.y, x.z), v.x, v.y, v.z,
                     norm(k) > 0.0 ? fmt::format(":{},{},{},{}", k.x, k.y, k.z, degrees) : "");
}

void place(Scene& scene, const Placement& placement) {
  if (placement == Placement{}) return;
  auto& bodies = scene.bodies;
  const auto centre = centre_of(bodies);
  const Rotation rotation(placement);
  const auto& origin = bodies.origin;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const auto x = absolute_place(bodies, i) - centre.position;
    const auto v = static_cast<DVec3>(bodies.velocity[i]) - centre.velocity;
    bodies.position[i] = counted_from(origin, rotation.of(x) + centre.position + placement.position);
    bodies.velocity[i] = static_cast<Vec3>(rotation.of(v) + centre.velocity + placement.velocity);
  }
  if (norm(placement.velocity) > 0.0) scene.has_velocities = true;
  if (const auto bad = first_not_finite(bodies); !bad.empty())
    throw Error(
        fmt::format("with --offset {} is not finite in single precision; choose smaller numbers", bad));
}

Placement thrown_at(const Scene& first, const Scene& next) {
  const auto a = centre_of(first.bodies), b = centre_of(next.bodies);
  const double reach = r90_of(first.bodies, a.position) + r90_of(next.bodies, b.position);
  const double distance = 3.0 * reach;
  const double twice_gm = 2.0 * first.physics.gravitational_constant * (a.mass + b.mass);
  Placement to;
  to.position = a.position - b.position + DVec3{distance, 0.0, 0.0};
  to.velocity = a.velocity - b.velocity;
  if (distance == 0.0) return to;
  const double across = std::sqrt(twice_gm * reach / 4.0) / distance;
  const double along = std::sqrt(std::max(twice_gm / distance - across * across, 0.0));
  to.velocity += DVec3{-along, across, 0.0};
  return to;
}

void share_scale(std::span<Scene> scenes) {
  const auto smallest = std::ranges::min_element(scenes, {}, &Scene::scale);
  const auto largest = std::ranges::max_element(scenes, {}, &Scene::scale);
  if (smallest->scale < 1.0 && largest->scale > 1.0)
    throw Error(
        fmt::format("'{}' has numbers too large for single precision and '{}' numbers too small: they cannot "
                    "be one scene; write both in units that fit",
                    smallest->title, largest->title));
  const double shared = smallest->scale < 1.0 ? smallest->scale : largest->scale;
  const std::string title = smallest->scale < 1.0 ? smallest->title : largest->title;
  for (auto& scene : scenes) {
    if (scene.scale == shared) continue;
    const double s = shared / scene.scale;
    scale_units(scene, {.mass = s * s * s, .length = s, .velocity = s});
    scene.scale = shared;
    scene.notes.push_back(fmt::format("scaled as '{}' is, so that lengths can be compared", title));
  }
}

void match_units(const Scene& scene, Scene& next) { scale_units(next, scales_between(scene, next)); }

void join(Scene& scene, Scene next) {
  if (scene.physics.law != next.physics.law)
    throw Error(fmt::format("'{}' obeys the law {} and '{}' {}: they cannot be one scene", scene.title,
                            scene.physics.law->name, next.title, next.physics.law->name));
  match_units(scene, next);
  separate_ids(scene.bodies, next.bodies);
  const auto before = scene.bodies.size();
  scene.bodies.append(next.bodies);
  std::ranges::fill(scene.bodies.galaxy, 0U);
  join_names(scene, next, before);
  join_notes(scene, next);
  scene.has_velocities = scene.has_velocities || next.has_velocities;
  scene.title += " + " + next.title;
  scene.source += " + " + next.source;
}

}  // namespace orrery::sim
