#include "render/context/pixel_pass.h"

#include <utility>

#include "render/context/gl.h"
#include "render/context/shader_constants.h"
#include "render_shaders.h"

namespace orrery::render {
PixelStage suitable_pixel_stage() { return gl_info().software ? PixelStage::fragment : PixelStage::compute; }

PixelPass::PixelPass(PixelStage stage) : stage_(stage), no_vertices_(make_vertex_array()) {}

ShaderSources PixelPass::sources(std::string name, std::vector<std::string_view> parts) const {
  if (stage_ == PixelStage::compute) {
    parts.insert(parts.begin(), shaders::pixel_comp);
    return {.name = std::move(name), .compute = std::move(parts)};
  }
  parts.insert(parts.begin(), shaders::pixel_frag);
  return {.name = std::move(name), .vertex = {shaders::fullscreen_vert}, .fragment = std::move(parts)};
}

void PixelPass::run(const ShaderProgram& program, const PixelImage& target) const {
  if (stage_ == PixelStage::compute)
    compute(program, target);
  else
    draw(program, target);
}

void PixelPass::compute(const ShaderProgram& program, const PixelImage& target) const {
  program.use();
  glBindImageTexture(shared::result_image, target.texture.name(), 0, GL_FALSE, 0, GL_WRITE_ONLY,
                     target.format);
  // Draws and copies of the picture before come first.
  glMemoryBarrier(GL_SHADER_IMAGE_ACCESS_BARRIER_BIT | GL_FRAMEBUFFER_BARRIER_BIT);
  dispatch_pixels(target.size);
  glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_FRAMEBUFFER_BARRIER_BIT |
                  GL_SHADER_IMAGE_ACCESS_BARRIER_BIT | GL_TEXTURE_UPDATE_BARRIER_BIT);
}

void PixelPass::draw(const ShaderProgram& program, const PixelImage& target) const {
  program.use();
  glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer.name());
  glViewport(0, 0, target.size.x, target.size.y);
  glDisable(GL_BLEND);
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_SCISSOR_TEST);
  glBindVertexArray(no_vertices_.name());
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glBindVertexArray(0);
}

}  // namespace orrery::render
