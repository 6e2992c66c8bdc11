#include "render/glow.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>

#include "render/gl.h"
#include "render/shader_constants.h"
#include "render/target.h"
#include "render_shaders.h"

namespace orrery::render {
namespace {

/// The blur works on this many rows, whatever the picture has.
constexpr int rows = 90;
/// Standard deviation of the blur in rows.
constexpr float sigma = 2.2F;

std::array<float, shared::glow_taps> gaussian_weights() {
  std::array<float, shared::glow_taps> weights{};
  float sum = 0;
  for (int i = 0; i < shared::glow_taps; ++i) {
    const float x = static_cast<float>(i) / sigma;
    weights[static_cast<std::size_t>(i)] = std::exp(-0.5F * x * x);
    sum += weights[static_cast<std::size_t>(i)] * (i == 0 ? 1.0F : 2.0F);
  }
  for (float& weight : weights) weight /= sum;
  return weights;
}

ShaderSources glow_sources(std::string name, std::string_view fragment) {
  return {.name = std::move(name), .vertex = {shaders::fullscreen_vert}, .fragment = {fragment}};
}

}  // namespace

Glow::Glow()
    : gather_(glow_sources("glow, gathering", shaders::glow_gather_frag),
              [this](UniformTable& uniforms) { gathered_block_ = uniforms.find<int>("block"); }),
      blur_(glow_sources("glow, blurring", shaders::glow_blur_frag), [this](UniformTable& uniforms) {
        direction_ = uniforms.find<glm::ivec2>("direction");
        uniforms.find<float>("weights", shared::glow_taps).set(gaussian_weights());
      }) {}

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
  glBindTextureUnit(shared::light_unit, light.texture());
  gathered_block_.set(block_);
  gather_.use();
  glDrawArrays(GL_TRIANGLES, 0, 3);
  blur_.use();
  blur(0, 1, {1, 0});
  blur(1, 0, {0, 1});
}

void Glow::blur(int from, int to, glm::ivec2 direction) {
  glBindFramebuffer(GL_FRAMEBUFFER, layers_[static_cast<std::size_t>(to)].framebuffer.name());
  glBindTextureUnit(shared::light_unit, layers_[static_cast<std::size_t>(from)].texture.name());
  direction_.set(direction);
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

glm::vec2 Glow::texture_scale() const { return 1.0F / glm::vec2(size_ * block_); }

}  // namespace orrery::render
