#include "render/light/accumulation.h"

#include "render/context/gl.h"
#include "render/context/target.h"
#include "render_shaders.h"

namespace orrery::render {

Accumulation::Eraser::Eraser() : program(pass.sources("darkness", {shaders::darkness_glsl})) {}

void Accumulation::resize(glm::ivec2 size) {
  if (size == image_.size) return;
  check_framebuffer_size(size);
  // The new one first: when it cannot be had, the old one stays usable.
  image_ = PixelImage::make(GL_RGBA32F, size);
  if (!eraser_ && stage_ == PixelStage::compute) eraser_.emplace();
}

void Accumulation::begin() {
  const GLfloat darkness[4] = {0, 0, 0, 0};
  glDisable(GL_SCISSOR_TEST);
  if (eraser_)
    eraser_->pass.run(eraser_->program, image_);
  else
    glClearNamedFramebufferfv(framebuffer(), GL_COLOR, 0, darkness);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer());
  glViewport(0, 0, size().x, size().y);
}

void Accumulation::copy_into(const Accumulation& larger, glm::ivec2 corner) const {
  glCopyImageSubData(texture(), GL_TEXTURE_2D, 0, 0, 0, 0, larger.texture(), GL_TEXTURE_2D, 0, corner.x,
                     corner.y, 0, size().x, size().y, 1);
}

void Accumulation::copy_from(const Accumulation& larger, glm::ivec2 corner) const {
  glCopyImageSubData(larger.texture(), GL_TEXTURE_2D, 0, corner.x, corner.y, 0, texture(), GL_TEXTURE_2D, 0,
                     0, 0, 0, size().x, size().y, 1);
}

void Accumulation::write(std::span<const glm::vec4> pixels) const {
  glTextureSubImage2D(texture(), 0, 0, 0, size().x, size().y, GL_RGBA, GL_FLOAT, pixels.data());
}

std::vector<float> Accumulation::read() const {
  std::vector<float> pixels(static_cast<std::size_t>(size().x) * static_cast<std::size_t>(size().y) * 4);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer());
  glReadPixels(0, 0, size().x, size().y, GL_RGBA, GL_FLOAT, pixels.data());
  return pixels;
}

}  // namespace orrery::render
