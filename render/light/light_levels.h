#pragma once

#include <array>
#include <glm/glm.hpp>

#include "render/context/pixel_pass.h"
#include "render/context/shader_constants.h"
#include "render/light/accumulation.h"
#include "render/light/light_sums.h"

namespace orrery::render {

/// The number of levels that a picture has for images up to this half width (pixels).
int levels_for(glm::ivec2 picture, float widest);

/// Nested pictures of half, a quarter, ... of the resolution, side by side in one: a wide image of a body
/// goes into the level where it covers a few texels, so that its cost does not depend on its width. Then the
/// levels are interpolated up to the picture without loss of light (Benitez-Llambay 2025, py-sphviewer2;
/// docs/rendering.md).
class LightLevels {
 public:
  /// Needs a current context. `stage`: what interpolates.
  explicit LightLevels(PixelStage stage = suitable_pixel_stage());

  /// Levels of a picture for images up to this half width (pixels); does nothing if they are there. Of a part
  /// of a larger picture they are those of the `whole` one. Throws Error when out of memory.
  void resize(glm::ivec2 picture, float widest, glm::ivec2 whole);
  void resize(glm::ivec2 picture, float widest) { resize(picture, widest, picture); }
  /// Binds the framebuffer of the levels, sets the viewport and clears all of them.
  void begin() { all_.begin(); }
  /// All levels, side by side.
  const Accumulation& all() const { return all_; }
  /// Sums of the same size, to which compute shaders add.
  LightSums& sums() { return sums_; }
  /// First texel and size of each level. Unused levels are 0.
  std::array<glm::vec4, shared::most_levels> places() const;
  int count() const { return count_; }
  /// The half width (pixels) up to which images fit.
  float widest() const;
  /// Adds their light to the picture that they were made for, and leaves it bound as Accumulation::begin
  /// does.
  void add_to(const Accumulation& light);

 private:
  struct Level {
    glm::ivec2 corner{0, 0};  ///< position of texel 0 in all_
    glm::ivec2 size{0, 0};
  };
  void arrange(glm::ivec2 picture);
  void add_level(int coarse, const Level& fine, const Accumulation& target, int border);

  PixelStage stage_;
  Accumulation all_;
  LightSums sums_;
  glm::ivec2 picture_{0, 0};
  int count_ = 0;
  std::array<Level, shared::most_levels> levels_{};
  VertexArray no_vertices_;
  Uniform<glm::ivec2> corner_;
  Uniform<glm::vec4> from_;
  Uniform<glm::ivec2> first_;
  Uniform<glm::ivec2> size_;
  ShaderProgram program_;
};

}  // namespace orrery::render
