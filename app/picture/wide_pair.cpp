#include "app/picture/wide_pair.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "app/picture/places.h"

namespace orrery::app {

namespace {

using Places = std::vector<glm::dvec3>;

constexpr double least_share = 0.1;
constexpr double far_apart = 6.0;  ///< separation in units of the sum of both radii

glm::dvec3 mean_of(const Places& places) {
  glm::dvec3 sum{0.0};
  for (const auto& place : places) sum += place;
  return sum / static_cast<double>(places.size());
}

/// The direction along which the positions differ most, as long as they do (root mean square).
glm::dvec3 spread_of(const Places& places, glm::dvec3 mean) {
  glm::dmat3 moments{0.0};
  for (const auto& place : places) moments += glm::outerProduct(place - mean, place - mean);
  glm::dvec3 axis{0.31, 0.47, 0.83};
  for (int k = 0; k < 30; ++k) {
    axis = moments * axis;
    const double length = glm::length(axis);
    if (!(length > 0.0) || !std::isfinite(length)) return glm::dvec3(0.0);
    axis /= length;
  }
  return axis * std::sqrt(glm::dot(axis, moments * axis) / static_cast<double>(places.size()));
}

/// The places nearer to the first or to the second centre.
std::array<Places, 2> split(const Places& places, const std::array<glm::dvec3, 2>& centers) {
  std::array<Places, 2> parts;
  for (const auto& place : places) {
    const bool second = glm::distance(place, centers[1]) < glm::distance(place, centers[0]);
    (second ? parts[1] : parts[0]).push_back(place);
  }
  return parts;
}

std::array<Places, 2> two_means(const Places& places) {
  constexpr int rounds = 6;
  const auto mean = mean_of(places), spread = spread_of(places, mean);
  std::array centers{mean - spread, mean + spread};
  auto parts = split(places, centers);
  for (int round = 0; round < rounds && !parts[0].empty() && !parts[1].empty(); ++round) {
    centers = {mean_of(parts[0]), mean_of(parts[1])};
    parts = split(places, centers);
  }
  return parts;
}

Cluster cluster_of(const Places& places) {
  const auto center = median_of(places);
  const auto distance = [&](const glm::dvec3& place) { return glm::distance(place, center); };
  return {.center = center,
          .radius = percentile_of(places, 0.9, distance),
          .half_radius = percentile_of(places, 0.5, distance)};
}

/// A direction across `line`: that of `wanted` as far as possible.
glm::dvec3 across(glm::dvec3 line, glm::dvec3 wanted) {
  for (const auto& some : {wanted, glm::dvec3(0, 0, 1), glm::dvec3(1, 0, 0)}) {
    const auto rest = some - glm::dot(some, line) * line;
    if (glm::length(rest) > 1e-3) return glm::normalize(rest);
  }
  return {0.0, 1.0, 0.0};
}

/// The distance between the camera and the nearer cluster.
double distance_before(const WidePair& pair, double separation) {
  constexpr double seen_second = 0.5;  // as large as the first one
  const double first = seen_second * pair.first.radius;
  const double rest = pair.second.radius - first;
  const double wanted = rest > 0.0 ? first * separation / rest : separation;
  return std::min(std::max(wanted, 4.0 * pair.first.radius), separation);
}

/// The angle from the line between the clusters at which the camera stands, so that it sees them `apart`.
double aside(double distance, double separation, double apart) {
  double low = 0.0, high = 0.5 * std::numbers::pi;
  for (int k = 0; k < 60; ++k) {
    const double angle = 0.5 * (low + high);
    const double second = std::atan2(distance * std::sin(angle), distance * std::cos(angle) + separation);
    (angle - second < apart ? low : high) = angle;
  }
  return low;
}

/// Three axes at right angles: along the first direction, towards the second one, and across both.
glm::dmat3 axes(glm::dvec3 first, glm::dvec3 second) {
  const auto x = glm::normalize(first), z = glm::normalize(glm::cross(first, second));
  return {x, glm::cross(z, x), z};
}

}  // namespace

std::optional<WidePair> wide_pair(const Places& places) {
  constexpr std::size_t fewest = 100;
  if (places.size() < fewest) return std::nullopt;
  const auto parts = two_means(places);
  const double fewer = static_cast<double>(std::min(parts[0].size(), parts[1].size()));
  if (fewer < least_share * static_cast<double>(places.size())) return std::nullopt;
  WidePair pair{cluster_of(parts[0]), cluster_of(parts[1])};
  const double separation = glm::distance(pair.first.center, pair.second.center);
  if (!(separation > far_apart * (pair.first.radius + pair.second.radius))) return std::nullopt;
  if (!(pair.first.radius > 0.0 && pair.second.radius > 0.0)) return std::nullopt;
  if (parts[0].front() != places.front()) std::swap(pair.first, pair.second);
  return pair;
}

render::Camera over_the_shoulder_view(const WidePair& pair, glm::dvec3 spin, double aspect) {
  // Where both are seen, and how large the first one is, in half heights of the picture.
  const double narrow = std::min(aspect, 16.0 / 9.0);
  const glm::dvec2 first{-0.30 * narrow, -0.22}, second{0.46 * narrow, 0.42};
  const double size = std::min(0.68, 0.5 * aspect);
  constexpr double lean = 1.4;  // radians by which the line between both leans against the spin

  const auto line = pair.second.center - pair.first.center;
  const double separation = glm::length(line), distance = distance_before(pair, separation);
  const auto along = line / separation;
  const double half_height = pair.first.radius / (distance * size);
  const auto seen = [&](glm::dvec2 at) { return glm::normalize(glm::dvec3(at * half_height, -1.0)); };
  const auto seen_first = seen(first), seen_second = seen(second);

  const double angle = aside(distance, separation, std::acos(glm::dot(seen_first, seen_second)));
  const auto up = across(along, glm::dot(spin, along) < 0.0 ? -spin : spin);
  const auto side = std::cos(lean) * up + std::sin(lean) * glm::cross(along, up);
  const auto to_first = distance * (std::cos(angle) * along + std::sin(angle) * side);
  const auto to_second = to_first + line;

  render::Camera camera;
  camera.field_of_view = static_cast<float>(2.0 * std::atan(half_height));
  const auto turn = axes(to_first, to_second) * glm::transpose(axes(seen_first, seen_second));
  camera.orientation = glm::normalize(glm::quat_cast(turn));
  camera.distance = glm::dot(to_first, camera.forward());
  camera.target = pair.first.center - to_first + camera.distance * camera.forward();
  return camera;
}

}  // namespace orrery::app
