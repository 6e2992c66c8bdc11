#include "render/glow.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "render/gl.h"
#include "render/target.h"
#include "render_shaders.h"

namespace orrery::render {
namespace {

/// The blur works on this many rows, whatever the picture has.
constexpr int rows = 90;
/// Standard deviation of the blur in rows.
constexpr float sigma = 2.2F;
constexpr int taps = 9;

constexpr GLint block_location = 0;
constexpr GLint direction_location = 0;
constexpr GLint weights_location = 1;

std::array<float, taps> gaussian_weights() {
  std::array<float, taps> weights{};
  float sum = 0;
  for (int i = 0; i < taps; ++i) {
    const float x = static_cast<float>(i) / sigma;
    weights[static_cast<std::size_t>(i)] = std::exp(-0.5F * x * x);
    sum += weights[static_cast<std::size_t>(i)] * (i == 0 ? 1.0F : 2.0F);
  }
  for (float& weight : weights) weight /= sum;
  return weights;
}

Program make_glow_program(std::string_view name, std::string_view fragment_shader) {
  const std::array<std::string_view, 1> vertex{shaders::fullscreen_vert};
  const std::array<std::string_view, 1> fragment{fragment_shader};
  return make_program(name, vertex, fragment);
}

}  // namespace

Glow::Glow()
    : gather_(make_glow_program("glow, gathering", shaders::glow_gather_frag)),
      blur_(make_glow_program("glow, blurring", shaders::glow_blur_frag)) {
  const std::array<float, taps> weights = gaussian_weights();
  glProgramUniform1fv(blur_.name(), weights_location, taps, weights.data());
}

void Glow::resize(glm::ivec2 light_size) {
  if (light_size == light_size_) return;
  const int block = std::max(1, (light_size.y + rows / 2) / rows);
  const glm::ivec2 size = (light_size + block - 1) / block;
  for (Layer& layer : layers_) {
    Layer fresh{make_texture(GL_TEXTURE_2D), make_framebuffer()};
    attach_texture(fresh.framebuffer, fresh.texture, GL_RGBA32F, size);
    glTextureParameteri(fresh.texture.name(), GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTextureParameteri(fresh.texture.name(), GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTextureParameteri(fresh.texture.name(), GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTextureParameteri(fresh.texture.name(), GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    layer = std::move(fresh);
  }
  light_size_ = light_size;
  size_ = size;
  block_ = block;
}

void Glow::update(const Accumulation& light, GlName no_vertices) {
  resize(light.size());
  glBindVertexArray(no_vertices);
  glDisable(GL_BLEND);
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_SCISSOR_TEST);
  glViewport(0, 0, size_.x, size_.y);
  glBindFramebuffer(GL_FRAMEBUFFER, layers_[0].framebuffer.name());
  glBindTextureUnit(0, light.texture());
  glProgramUniform1i(gather_.name(), block_location, block_);
  glUseProgram(gather_.name());
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glUseProgram(blur_.name());
  blur(0, 1, {1, 0});
  blur(1, 0, {0, 1});
}

void Glow::blur(int from, int to, glm::ivec2 direction) {
  glBindFramebuffer(GL_FRAMEBUFFER, layers_[static_cast<std::size_t>(to)].framebuffer.name());
  glBindTextureUnit(0, layers_[static_cast<std::size_t>(from)].texture.name());
  glProgramUniform2i(blur_.name(), direction_location, direction.x, direction.y);
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

glm::vec2 Glow::texture_scale() const { return 1.0F / glm::vec2(size_ * block_); }

}  // namespace orrery::render
