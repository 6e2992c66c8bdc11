#pragma once

#include <glm/glm.hpp>
#include <vector>

namespace orrery::render {

/// The local number of bodies in a picture, counted on the CPU: the counterpart of ScreenDensity, with the
/// same cells and widths.
class DensityPyramid {
 public:
  /// Begins a picture of that many pixels, in which light is spread over a circle that contains `neighbours`
  /// bodies.
  void begin(glm::ivec2 picture, float neighbours);
  void add(glm::vec2 place);
  /// Call after all bodies were added.
  void finish();
  /// The half width (pixels) that the light of a body at this place is spread over.
  float half_width(glm::vec2 place) const;

 private:
  float width_of_crowd(glm::vec2 at) const;
  float mean(std::size_t level, glm::vec2 at) const;

  std::vector<std::vector<float>> means_;  ///< over squares of 1, 2, 4, ... cells
  glm::vec2 middle_{0.0F};
  glm::vec3 scale_{0.0F};  ///< screen_density of shaders/body.glsl
};

}  // namespace orrery::render
