#include "app/picture/picking.h"

#include <algorithm>
#include <ranges>
#include <vector>

#include "app/picture/places.h"

namespace orrery::app {

namespace {

/// Radius of a click, as a fraction of half the picture's height.
constexpr double reach = 0.04;
/// Distance (pixels) within which a click hits a body.
constexpr double reach_px = 12.0;
constexpr double softening_px = 2.0;
constexpr double faintest = 1.0 / 16.0;

struct Candidate {
  std::size_t body = 0;
  double pixels = 0.0;  ///< from the cursor
  double light = 0.0;
};

glm::dvec3 position_of(const PickScene& scene, std::size_t body) {
  const float* x = &scene.position[4 * body];
  return {x[0], x[1], x[2]};
}

/// As it is drawn, in the grid of galaxies.
glm::dvec3 place_of(const PickScene& scene, std::size_t body) {
  return position_of(scene, body) + scene.summary.grid_offset(scene.galaxy[body]);
}

glm::dmat4 clip_matrix(const render::Camera& camera, double aspect) {
  return glm::dmat4(camera.projection(static_cast<float>(aspect)) * camera.view());
}

/// From the cursor, in half heights of the picture; empty behind the camera.
std::optional<double> distance_from(const PickScene& scene, const glm::dmat4& to_clip, glm::dvec3 place,
                                    glm::dvec2 cursor) {
  const glm::dvec4 clip = to_clip * glm::dvec4(place, 1.0);
  if (!(clip.w > 0.0)) return std::nullopt;
  return glm::length((glm::dvec2(clip) / clip.w - cursor) * glm::dvec2(scene.aspect, 1.0));
}

/// Calls visit(place, galaxy) for the bodies near the cursor.
template <typename Visit>
void for_bodies_under(const PickScene& scene, glm::dvec2 cursor, Visit visit) {
  const auto to_clip = clip_matrix(scene.camera, scene.aspect);
  for (std::size_t i = 0; i < scene.galaxy.size(); ++i) {
    const auto place = place_of(scene, i);
    const auto distance = distance_from(scene, to_clip, place, cursor);
    if (distance && *distance <= reach) visit(place, scene.galaxy[i]);
  }
}

std::optional<std::uint32_t> most_bodies_under(const PickScene& scene, glm::dvec2 cursor) {
  std::optional<std::uint32_t> best;
  std::size_t most = 0;
  std::size_t count = 0;
  std::uint32_t counted = 0;
  for_bodies_under(scene, cursor, [&](const glm::dvec3&, std::uint32_t galaxy) {
    // Bodies of a galaxy lie in a row.
    count = galaxy == counted ? count + 1 : 1;
    counted = galaxy;
    if (count <= most) return;
    most = count;
    best = galaxy;
  });
  return best;
}

/// Where the ray through the cursor meets the plane of the grid; empty if it does not.
std::optional<glm::dvec2> point_of_grid(const PickScene& scene, glm::dvec2 cursor) {
  const auto eye = scene.camera.position();
  const auto ray = scene.camera.point_under(cursor, scene.aspect) - eye;
  const double along = (scene.summary.center.z - eye.z) / ray.z;
  return along > 0.0 ? std::optional(glm::dvec2(eye + along * ray)) : std::nullopt;
}

std::optional<std::uint32_t> circle_under(const PickScene& scene, glm::dvec2 cursor) {
  const auto& summary = scene.summary;
  const auto point = point_of_grid(scene, cursor);
  if (!point || summary.galaxies < 2) return std::nullopt;
  const glm::dvec2 from_first = *point - glm::dvec2(summary.center);
  const glm::dvec2 cell = glm::round(from_first * glm::dvec2(1.0, -1.0) / double{summary.grid_spacing});
  if (!(cell.x >= 0.0 && cell.y >= 0.0 && cell.x < summary.grid_columns)) return std::nullopt;
  const double number = cell.y * summary.grid_columns + cell.x;
  if (number >= summary.galaxies) return std::nullopt;
  const auto galaxy = static_cast<std::uint32_t>(number);
  const double distance = glm::length(from_first - glm::dvec2(summary.grid_offset(galaxy)));
  return distance <= summary.radius ? std::optional(galaxy) : std::nullopt;
}

}  // namespace

std::optional<glm::dvec3> middle_under(const PickScene& scene, glm::dvec2 cursor) {
  glm::dvec3 sum(0.0);
  double count = 0.0;
  for_bodies_under(scene, cursor, [&](const glm::dvec3& place, std::uint32_t) {
    sum += place;
    count += 1.0;
  });
  return count > 0.0 ? std::optional(sum / count) : std::nullopt;
}

std::optional<std::uint32_t> galaxy_under(const PickScene& scene, glm::dvec2 cursor) {
  const auto by_bodies = most_bodies_under(scene, cursor);
  return by_bodies ? by_bodies : circle_under(scene, cursor);
}

std::optional<GalaxyExtent> extent_of(const PickScene& scene, std::uint32_t galaxy) {
  const auto range = sim::bodies_of_galaxy(scene.galaxy, galaxy);
  if (range.size() == 0) return std::nullopt;
  const auto places = std::views::iota(range.first, range.first + range.size()) |
                      std::views::transform([&](std::size_t i) { return position_of(scene, i); });
  const auto center = median_of(places);
  const double radius = percentile_of(places, range.size() > 50 ? 0.95 : 1.0,
                                      [&](const glm::dvec3& place) { return glm::length(place - center); });
  return GalaxyExtent{center + scene.summary.grid_offset(galaxy),
                      radius > 0.0 ? radius : scene.summary.radius};
}

std::optional<glm::dvec2> place_in_picture(const render::Camera& camera, double aspect, glm::dvec3 place) {
  const glm::dvec4 clip = clip_matrix(camera, aspect) * glm::dvec4(place, 1.0);
  if (!(clip.w > 0.0)) return std::nullopt;
  return glm::dvec2(clip) / clip.w;
}

std::optional<std::size_t> body_under(const PickScene& scene, glm::dvec2 cursor, double height,
                                      std::span<const sim::Component> component,
                                      std::span<const float> light) {
  const auto to_clip = clip_matrix(scene.camera, scene.aspect);
  const glm::dvec2 to_pixels = 0.5 * height * glm::dvec2(scene.aspect, 1.0);
  std::vector<Candidate> near;
  double brightest = 0.0;
  for (std::size_t i = 0; i < scene.galaxy.size(); ++i) {
    const double own = light[static_cast<std::size_t>(component[i])];
    const glm::dvec4 clip = to_clip * glm::dvec4(place_of(scene, i), 1.0);
    if (!(clip.w > 0.0) || !(own > 0.0)) continue;
    const double pixels = glm::length((glm::dvec2(clip) / clip.w - cursor) * to_pixels);
    if (!(pixels <= reach_px)) continue;
    near.push_back({i, pixels, own / (clip.w * clip.w)});
    brightest = std::max(brightest, near.back().light);
  }
  const auto weight = [&](const Candidate& each) {
    const double away = each.pixels + softening_px;
    return std::max(each.light, faintest * brightest) / (away * away);
  };
  const auto best = std::ranges::max_element(near, {}, weight);
  return best != near.end() ? std::optional(best->body) : std::nullopt;
}

}  // namespace orrery::app
