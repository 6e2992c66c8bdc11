#include "app/picture/disk_shape.h"

#include <cmath>
#include <ranges>
#include <vector>

#include "app/picture/places.h"

namespace orrery::app {

namespace {

constexpr std::size_t most_looked_at = 20'000;
/// The median height of a thicker one over its median radius; of a sphere of any profile about 0.6.
constexpr double thickest = 0.35;
constexpr double nearly_all = 0.98;
/// The part of the speed that goes around the axis, at least: above 0.9 in disks, below 0.75 where galaxies
/// meet.
constexpr double least_rotation = 0.8;

struct Sampled {
  glm::dvec3 place, velocity;
};

std::array<bool, sim::component_count> components_of_disk(const sim::Bodies& bodies) {
  const auto counts = bodies.component_counts();
  const auto has = [&](sim::Component part) { return counts.at(static_cast<std::size_t>(part)) > 0; };
  std::array<bool, sim::component_count> parts{};
  parts.at(static_cast<std::size_t>(sim::Component::gas)) = has(sim::Component::gas);
  parts.at(static_cast<std::size_t>(sim::Component::disk)) = has(sim::Component::disk);
  if (has(sim::Component::gas) || has(sim::Component::disk)) return parts;
  parts.fill(true);
  parts.at(static_cast<std::size_t>(sim::Component::halo)) = false;
  return parts;
}

/// Some of them, evenly spread over the arrays.
std::vector<Sampled> bodies_in(const sim::Bodies& bodies, DiskShape& disk) {
  for (const auto part : bodies.component)
    disk.bodies += disk.components.at(static_cast<std::size_t>(part)) ? 1U : 0U;
  const std::size_t stride = disk.bodies / most_looked_at + 1;
  std::vector<Sampled> found;
  std::size_t number = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (!disk.components.at(static_cast<std::size_t>(bodies.component[i])) || number++ % stride != 0)
      continue;
    const auto &x = bodies.position[i], &v = bodies.velocity[i];
    const Sampled each{{x.x, x.y, x.z}, {v.x, v.y, v.z}};
    if (std::isfinite(glm::dot(each.place, each.place) + glm::dot(each.velocity, each.velocity)))
      found.push_back(each);
  }
  return found;
}

/// True if the bodies go around the axis, all the same way. Where all are at rest the file must call them a
/// disk.
bool rotates(const std::vector<Sampled>& bodies, const DiskShape& disk) {
  glm::dvec3 drift(0.0);
  for (const auto& each : bodies) drift += each.velocity / static_cast<double>(bodies.size());
  double around = 0.0, all = 0.0;
  for (const auto& each : bodies) {
    const auto from = each.place - disk.center, moves = each.velocity - drift;
    around += glm::dot(glm::cross(from, moves), disk.axis);
    all += glm::length(from - glm::dot(from, disk.axis) * disk.axis) * glm::length(moves);
  }
  if (!(all > 0.0)) return !disk.components.at(static_cast<std::size_t>(sim::Component::star));
  return std::abs(around) > least_rotation * all;
}

}  // namespace

DiskShape disk_of(const sim::Bodies& bodies, const Luminous& light) {
  if (bodies.empty() || bodies.galaxy.back() > 0) return {};
  DiskShape disk{.components = components_of_disk(bodies), .axis = light.spin};
  const auto sampled = bodies_in(bodies, disk);
  if (sampled.empty()) return {};
  const auto places = sampled | std::views::transform(&Sampled::place);
  disk.center = median_of(places);
  const auto height = [&](const glm::dvec3& place) {
    return std::abs(glm::dot(place - disk.center, disk.axis));
  };
  const auto radius = [&](const glm::dvec3& place) {
    const auto from = place - disk.center;
    return glm::length(from - glm::dot(from, disk.axis) * disk.axis);
  };
  disk.half_radius = percentile_of(places, 0.5, radius);
  if (!(percentile_of(places, 0.5, height) < thickest * disk.half_radius) || !rotates(sampled, disk))
    return {};
  disk.radius = 1.1 * percentile_of(places, nearly_all, radius);
  disk.thickness = 1.1 * percentile_of(places, nearly_all, height);
  return disk;
}

}  // namespace orrery::app
