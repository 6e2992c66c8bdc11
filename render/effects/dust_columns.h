#pragma once

#include <glm/glm.hpp>
#include <span>
#include <vector>

namespace orrery::render {

/// The dust in front of every place of a picture, in main memory: clouds are counted in cells of slices,
/// which are then summed up from the nearest to the farthest. As shaders/dust.comp, dust_sum.comp and
/// dust.glsl.
class DustColumns {
 public:
  struct Grid {
    glm::mat4 matrix{1.0F};       ///< from the world to the clip space of the whole picture
    glm::vec2 size_px{1.0F};      ///< the whole picture
    glm::ivec2 cells{1, 1};       ///< cells of a slice
    float cells_of_pixel = 1.0F;  ///< cells along a pixel's side
    glm::vec4 slice_of{0.0F};     ///< the slice of a place of the world: times (place, 1)
  };
  /// Begins without any dust.
  void begin(const Grid& grid);
  /// A cloud at a place of the world. `amount`: its optical depth over a cell at distance 1.
  void add(const glm::vec3& place, float amount);
  void add_up();
  /// The optical depth in green light in front of a place of the world. After add_up.
  float in_front_of(const glm::vec3& place) const;
  /// The slices side by side, rows from below, as the texture that shaders read.
  std::span<const float> texels() const { return depth_; }

 private:
  /// The position of a place in a slice, in cells, and its distance along the line of sight; not seen: 0.
  glm::vec3 cell_of(const glm::vec3& place) const;
  std::size_t index(glm::ivec2 cell, int slice) const;
  float up_to(glm::vec2 cell, int slice) const;

  Grid grid_;
  std::vector<float> depth_;
};

}  // namespace orrery::render
