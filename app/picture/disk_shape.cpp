#include "app/picture/disk_shape.h"

#include <cmath>
#include <vector>

#include "sim/core/percentile.h"

namespace orrery::app {

namespace {

constexpr std::size_t most_looked_at = 20'000;
/// The median height of a thicker one over its median radius; of a sphere of any profile about 0.6.
constexpr double thickest = 0.35;
constexpr double nearly_all = 0.98;

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
std::vector<glm::dvec3> places_in(const sim::Bodies& bodies, DiskShape& disk) {
  for (const auto part : bodies.component)
    disk.bodies += disk.components.at(static_cast<std::size_t>(part)) ? 1U : 0U;
  const std::size_t stride = disk.bodies / most_looked_at + 1;
  std::vector<glm::dvec3> places;
  std::size_t number = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (!disk.components.at(static_cast<std::size_t>(bodies.component[i])) || number++ % stride != 0)
      continue;
    const auto& x = bodies.position[i];
    if (const glm::dvec3 place(x.x, x.y, x.z); std::isfinite(glm::dot(place, place))) places.push_back(place);
  }
  return places;
}

}  // namespace

DiskShape disk_of(const sim::Bodies& bodies, const Luminous& light) {
  if (bodies.empty() || bodies.galaxy.back() > 0) return {};
  DiskShape disk{.components = components_of_disk(bodies), .axis = light.spin};
  const auto places = places_in(bodies, disk);
  if (places.empty()) return {};
  std::vector<double> values(places.size());
  const auto percentile = [&](double part, auto value) {
    for (std::size_t i = 0; i < places.size(); ++i) values[i] = value(places[i]);
    return sim::percentile(values, part);
  };
  for (glm::length_t axis = 0; axis < 3; ++axis)
    disk.center[axis] = percentile(0.5, [axis](const glm::dvec3& place) { return place[axis]; });
  const auto height = [&](const glm::dvec3& place) {
    return std::abs(glm::dot(place - disk.center, disk.axis));
  };
  const auto radius = [&](const glm::dvec3& place) {
    const auto from = place - disk.center;
    return glm::length(from - glm::dot(from, disk.axis) * disk.axis);
  };
  disk.half_radius = percentile(0.5, radius);
  if (!(percentile(0.5, height) < thickest * disk.half_radius)) return {};
  disk.radius = 1.1 * percentile(nearly_all, radius);
  disk.thickness = 1.1 * percentile(nearly_all, height);
  return disk;
}

}  // namespace orrery::app
