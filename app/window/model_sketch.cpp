#include "app/window/model_sketch.h"

#include <algorithm>
#include <cmath>

#include "app/picture/display_options.h"
#include "app/picture/star_options.h"
#include "app/picture/stellar_populations.h"
#include "render/color_space.h"
#include "sim/core/percentile.h"

namespace orrery::app {

namespace {

constexpr std::size_t enough_bodies = 3000;
/// Half widths of a body's image over the height of the picture.
constexpr float width_of_many = 0.028F;
constexpr float width_of_few = 0.03F;
constexpr std::size_t few = 100;

/// Light that is added up, rows from the top.
class SketchLight {
 public:
  explicit SketchLight(glm::ivec2 size) : size_(size), light_(static_cast<std::size_t>(size.x) * size.y) {}

  /// Round, and zero at its edge.
  void add(glm::vec2 middle, float half_width, const glm::vec3& color) {
    const glm::ivec2 low = glm::max(glm::ivec2(glm::floor(middle - half_width)), glm::ivec2(0));
    const glm::ivec2 high = glm::min(glm::ivec2(glm::ceil(middle + half_width)), size_ - 1);
    for (int y = low.y; y <= high.y; ++y) {
      for (int x = low.x; x <= high.x; ++x) {
        const glm::vec2 away = (glm::vec2(x, y) + 0.5F - middle) / half_width;
        const float inside = std::max(1.0F - glm::dot(away, away), 0.0F);
        light_[static_cast<std::size_t>(y) * size_.x + x] += color * (inside * inside);
      }
    }
  }

  /// Stretched by an inverse hyperbolic sine, with the hue kept, as pictures are.
  render::Image develop() const {
    constexpr float softening = 8.0F;
    const float white = std::max(bright_level(), 1e-30F);
    render::Image image{size_.x, size_.y, {}};
    for (const auto& light : light_) {
      const float largest = std::max({light.r, light.g, light.b, 1e-30F});
      const float value = std::min(std::asinh(softening * largest / white) / std::asinh(softening), 1.0F);
      for (glm::length_t k = 0; k < 3; ++k)
        image.rgba.push_back(
            static_cast<std::uint8_t>(255.0F * value * render::srgb_encode(light[k] / largest)));
      image.rgba.push_back(255);
    }
    return image;
  }

 private:
  /// Of what is lit, nearly all is below.
  float bright_level() const {
    std::vector<float> lit;
    for (const auto& light : light_)
      if (const float value = std::max({light.r, light.g, light.b}); value > 0.0F) lit.push_back(value);
    return lit.empty() ? 0.0F : sim::percentile(lit, 0.98);
  }

  glm::ivec2 size_;
  std::vector<glm::vec3> light_;
};

render::BodyStyle usual_style(const SceneSummary& summary) {
  const auto configuration = all_options().defaults();
  auto style = body_style(configuration);
  set_star_style(style, configuration, summary);
  set_age_style(style, configuration);
  return style;
}

sim::Bodies bodies_of(const sim::GalaxyModel& model) {
  const auto count = std::clamp(enough_bodies, model.minimum_bodies, model.maximum_bodies);
  return sim::make_galaxy(model.name, {.bodies = count}).bodies;
}

}  // namespace

render::Image model_sketch(const sim::GalaxyModel& model, View view, glm::ivec2 size) {
  const auto bodies = bodies_of(model);
  const auto summary = summarize(bodies);
  const auto style = usual_style(summary);
  const auto& kinds = *summary.drawn_as;
  const glm::vec2 pixels(size);
  const double aspect = static_cast<double>(size.x) / size.y;
  const auto camera = view_of(summary, view, aspect);
  const glm::mat4 matrix = camera.projection(static_cast<float>(aspect)) * camera.view();
  const float half_width = std::max((bodies.size() < few ? width_of_few : width_of_many) * pixels.y, 1.0F);
  SketchLight light(size);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const auto& x = bodies.position[i];
    const glm::vec4 clip = matrix * glm::vec4(x.x, x.y, x.z, 1.0F);
    const glm::vec2 seen = glm::vec2(clip.x, -clip.y) / clip.w;
    if (!(clip.w > 0.0F) || !(glm::dot(seen, seen) < 16.0F)) continue;
    const auto kind = kinds[i];
    light.add((0.5F * seen + 0.5F) * pixels, half_width,
              style.palette.at(kind) * style.component_weight.at(kind));
  }
  return light.develop();
}

}  // namespace orrery::app
