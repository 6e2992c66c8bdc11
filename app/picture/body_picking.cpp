#include "app/picture/body_picking.h"

#include <algorithm>
#include <vector>

namespace orrery::app {

namespace {

constexpr double reach_px = 12.0;
constexpr double softening_px = 2.0;
constexpr double faintest = 1.0 / 16.0;

struct Candidate {
  std::size_t body = 0;
  double pixels = 0.0;  ///< from the cursor
  double light = 0.0;
};

glm::dmat4 clip_matrix(const render::Camera& camera, double aspect) {
  return glm::dmat4(camera.projection(static_cast<float>(aspect)) * camera.view());
}

glm::dvec3 place_of(const PickScene& scene, std::size_t body) {
  const float* x = &scene.position[4 * body];
  return glm::dvec3{x[0], x[1], x[2]} + scene.summary.grid_offset(scene.galaxy[body]);
}

}  // namespace

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
