#pragma once

#include <glm/glm.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "render/context/gl_object.h"
#include "render/context/shader_program.h"

namespace orrery::render {

/// The stage that runs a pass over the pixels of a picture. Both give the same picture.
enum class PixelStage {
  fragment,  ///< a triangle that covers it: what software OpenGL is fastest at
  compute,   ///< a compute shader: GPUs made for computing have few units that draw
};
/// The faster one with the current context.
PixelStage suitable_pixel_stage();

/// An 8-bit or float picture that passes write and read.
struct PixelImage {
  Texture texture;
  Framebuffer framebuffer;  ///< whose colour the texture is
  glm::ivec2 size{0, 0};
  unsigned int format = 0;  ///< GL_RGBA8, GL_RGBA32F

  /// Throws Error when out of memory.
  static PixelImage make(unsigned int format, glm::ivec2 size);
};

/// Runs programs over all pixels of a picture.
class PixelPass {
 public:
  /// Needs a current context.
  explicit PixelPass(PixelStage stage);
  PixelStage stage() const { return stage_; }
  /// Sources of a program whose `parts` define `vec4 pixel(ivec2 at)`, the value of the pixel at a place.
  ShaderSources sources(std::string name, std::vector<std::string_view> parts) const;
  /// Computes every pixel of `target`; what follows sees the result. Leaves blending, depth and scissor tests
  /// off.
  void run(const ShaderProgram& program, const PixelImage& target) const;
  /// Runs the fragment stage over `size` pixels of a framebuffer (0: the window), which stays bound.
  void draw(const ShaderProgram& program, GlName framebuffer, glm::ivec2 size) const;

 private:
  PixelStage stage_;
  VertexArray no_vertices_;
};

}  // namespace orrery::render
