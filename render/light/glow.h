#pragma once

#include <array>
#include <glm/glm.hpp>
#include <vector>

#include "render/context/pixel_pass.h"
#include "render/context/shader_program.h"
#include "render/light/accumulation.h"
#include "render/picture/picture_tile.h"

namespace orrery::render {

/// The widest and the narrowest blur: standard deviation as a part of the picture's height.
inline constexpr float widest_glow = 2.2F / 90.0F;
inline constexpr float narrowest_glow = 0.8F / 90.0F;

/// The wings of the point spread function: the light of an Accumulation, blurred widely at a low resolution.
/// The width is a part of the picture's height, so a picture looks the same at any resolution.
class Glow {
 public:
  /// Needs a current context. `passes` must outlive it. Throws Error.
  explicit Glow(const PixelPass& passes);
  /// Gathers and blurs; `width` is held between narrowest_glow and widest_glow. Allocates only when the size
  /// of the light changes. May leave a framebuffer of its own bound, with its viewport.
  void update(const Accumulation& light, float width = widest_glow);

  /// For a picture that is drawn in tiles, one after the other: call `begin_parts`, `add_part` once per tile,
  /// then `update_by_parts`. The result is that of `update` to within rounding.
  void begin_parts(glm::ivec2 picture);
  void add_part(const Accumulation& light, const PictureTile& tile);
  void update_by_parts(float width);

  /// Linear RGB, to be sampled at pixel coordinates times texture_scale().
  GlName texture() const { return layers_[0].texture.name(); }
  glm::vec2 texture_scale() const;

 private:
  void resize(glm::ivec2 light_size);
  void set_width(float width);
  void blur();
  void blur(const PixelImage& from, const PixelImage& to, glm::ivec2 direction);

  const PixelPass& passes_;
  // Found while the programs are made.
  Uniform<int> gathered_block_;
  Uniform<glm::ivec2> origin_;
  Uniform<glm::ivec2> direction_;
  Uniform<float> weights_;
  ShaderProgram gather_;
  ShaderProgram blur_;
  std::array<PixelImage, 2> layers_;
  glm::ivec2 light_size_{0, 0};
  glm::ivec2 size_{0, 0};
  int block_ = 1;
  float width_ = 0.0F;  ///< width for which the weights were computed
  PixelImage part_;     ///< the blocks of a tile
  std::vector<glm::vec4> sums_;
};

}  // namespace orrery::render
