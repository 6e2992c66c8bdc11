#include "render/accumulation.h"

#include "render/gl.h"
#include "render/target.h"

namespace orrery::render {

void Accumulation::resize(glm::ivec2 size) {
  if (size == size_) return;
  check_framebuffer_size(size);
  // The new one first: when it cannot be had, the old one stays usable.
  Texture texture = make_texture(GL_TEXTURE_2D);
  Framebuffer framebuffer = make_framebuffer();
  attach_texture(framebuffer, texture, GL_RGBA32F, size);
  texture_ = std::move(texture);
  framebuffer_ = std::move(framebuffer);
  size_ = size;
}

void Accumulation::begin() {
  const GLfloat darkness[4] = {0, 0, 0, 0};
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.name());
  glViewport(0, 0, size_.x, size_.y);
  glDisable(GL_SCISSOR_TEST);
  glClearNamedFramebufferfv(framebuffer_.name(), GL_COLOR, 0, darkness);
}

std::vector<float> Accumulation::read() const {
  std::vector<float> pixels(static_cast<std::size_t>(size_.x) * static_cast<std::size_t>(size_.y) * 4);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer_.name());
  glReadPixels(0, 0, size_.x, size_.y, GL_RGBA, GL_FLOAT, pixels.data());
  return pixels;
}

}  // namespace orrery::render
