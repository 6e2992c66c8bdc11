#pragma once

#include <glm/glm.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "render/context/gl_object.h"
#include "render/context/shader_program.h"
#include "render/context/target.h"

namespace orrery::render {

/// The stage that runs a pass over the pixels of a picture. Both give the same picture.
enum class PixelStage {
  fragment,  ///< a triangle that covers it: what software OpenGL is fastest at
  compute,   ///< a compute shader: GPUs made for computing have few units that draw
};
/// The faster one with the current context.
PixelStage suitable_pixel_stage();

/// Runs programs over all pixels of a picture.
class PixelPass {
 public:
  /// Needs a current context.
  explicit PixelPass(PixelStage stage);
  /// Sources of a program whose `parts` define `vec4 pixel(ivec2 at)`, the value of the pixel at a place.
  ShaderSources sources(std::string name, std::vector<std::string_view> parts) const;
  /// Computes every pixel of `target`; what follows sees the result. The fragment stage leaves blending,
  /// depth and scissor tests off, and the target bound.
  void run(const ShaderProgram& program, const PixelImage& target) const;

 private:
  void draw(const ShaderProgram& program, const PixelImage& target) const;
  void compute(const ShaderProgram& program, const PixelImage& target) const;

  PixelStage stage_;
  VertexArray no_vertices_;
};

}  // namespace orrery::render
