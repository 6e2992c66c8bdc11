#pragma once

#include <glm/glm.hpp>
#include <span>
#include <vector>

namespace orrery::render {

/// Light that the CPU adds up: a picture, and levels of half, a quarter, ... of its resolution for wide
/// images, as LightLevels and shaders/body_kernel.glsl do it (docs/rendering.md, "By the CPU").
class LightPyramid {
 public:
  /// Dark levels for images up to this half width (pixels).
  void begin(glm::ivec2 picture, float widest);
  /// A body's light in a wide image around a place (pixels from the lower left corner), in the level that
  /// suits it, or that many levels coarser.
  void add_wide(glm::vec2 center, float half_width, const glm::vec4& light, int coarser);
  /// The half width (pixels) up to which images fit.
  float widest() const;
  /// Call after the wide images: the picture then has their light, and stars can be added.
  void add_levels();
  /// Adds the light of a star; `half_width` up to a few pixels.
  void add_star(glm::vec2 center, float half_width, const glm::vec4& light);
  /// Rows from below.
  std::span<const glm::vec4> picture() const { return levels_.front().texels; }

 private:
  struct Level {
    glm::ivec2 size{0, 0};
    int border = 0;  ///< texels around it, so that images outside give their light too
    std::vector<glm::vec4> texels;

    int width() const { return size.x + 2 * border; }
    int height() const { return size.y + 2 * border; }
    glm::vec4* row(int y) { return texels.data() + static_cast<std::ptrdiff_t>(y) * width(); }
  };
  static void make_dark(Level& level, glm::ivec2 size, int border);
  static void resize(Level& level, glm::ivec2 size, int border);
  static void add_image(Level& level, glm::vec2 center, float half_width, const glm::vec4& light);
  void add_level(Level& coarse, Level& fine, bool dark);

  std::vector<Level> levels_;  ///< the first is the picture
  std::vector<glm::vec4> row_;
};

}  // namespace orrery::render
