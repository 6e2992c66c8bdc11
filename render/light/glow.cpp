#include "render/light/glow.h"

#include <algorithm>
#include <cmath>

#include "render/context/gl.h"
#include "render/context/shader_constants.h"
#include "render_shaders.h"

namespace orrery::render {
namespace {

/// The blur works on this many rows, whatever the picture has.
constexpr int rows = 90;

std::array<float, shared::glow_taps> gaussian_weights(float sigma) {
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

/// Index of a pixel, row by row.
std::size_t place_in(glm::ivec2 size, glm::ivec2 at) {
  return static_cast<std::size_t>(at.y) * static_cast<std::size_t>(size.x) + static_cast<std::size_t>(at.x);
}

}  // namespace

Glow::Glow(const PixelPass& passes)
    : passes_(passes),
      gather_(passes.sources("glow, gathering", {shaders::glow_gather_glsl}),
              [this](UniformTable& uniforms) {
                gathered_block_ = uniforms.find<int>("block");
                origin_ = uniforms.find<glm::ivec2>("origin");
              }),
      blur_(passes.sources("glow, blurring", {shaders::glow_blur_glsl}), [this](UniformTable& uniforms) {
        direction_ = uniforms.find<glm::ivec2>("direction");
        weights_ = uniforms.find<float>("weights", shared::glow_taps);
      }) {}

void Glow::resize(glm::ivec2 light_size) {
  if (light_size == light_size_) return;
  const int block = std::max(1, (light_size.y + rows / 2) / rows);
  const glm::ivec2 size = (light_size + block - 1) / block;
  for (PixelImage& layer : layers_) {
    layer = PixelImage::make(GL_RGBA32F, size);
    set_sampling(layer.texture, GL_LINEAR, GL_LINEAR);
  }
  light_size_ = light_size;
  size_ = size;
  block_ = block;
}

/// `width` as a part of the height.
void Glow::set_width(float width) {
  width = std::clamp(width, narrowest_glow, widest_glow);
  if (width == width_) return;
  weights_.set(gaussian_weights(width * rows));
  width_ = width;
}

void Glow::update(const Accumulation& light, float width) {
  resize(light.size());
  set_width(width);
  glBindTextureUnit(shared::light_unit, light.texture());
  gathered_block_.set(block_);
  origin_.set({0, 0});
  passes_.run(gather_, layers_[0]);
  blur();
}

void Glow::begin_parts(glm::ivec2 picture) {
  resize(picture);
  sums_.assign(static_cast<std::size_t>(size_.x) * static_cast<std::size_t>(size_.y), glm::vec4(0.0F));
}

/// Blocks that tiles share are summed up here.
void Glow::add_part(const Accumulation& light, const PictureTile& tile) {
  const glm::ivec2 first = tile.corner / block_;
  const glm::ivec2 count = (tile.corner + tile.size + block_ - 1) / block_ - first;
  if (part_.size != count) part_ = PixelImage::make(GL_RGBA32F, count);
  glBindTextureUnit(shared::light_unit, light.texture());
  gathered_block_.set(block_);
  origin_.set(first * block_ - tile.corner);
  passes_.run(gather_, part_);
  std::vector<glm::vec4> found(static_cast<std::size_t>(count.x) * static_cast<std::size_t>(count.y));
  glGetTextureImage(part_.texture.name(), 0, GL_RGBA, GL_FLOAT,
                    static_cast<GLsizei>(found.size() * sizeof(glm::vec4)), found.data());
  for (int y = 0; y < count.y; ++y)
    for (int x = 0; x < count.x; ++x)
      sums_.at(place_in(size_, first + glm::ivec2(x, y))) += found.at(place_in(count, {x, y}));
}

void Glow::update_by_parts(float width) {
  set_width(width);
  glTextureSubImage2D(layers_[0].texture.name(), 0, 0, 0, size_.x, size_.y, GL_RGBA, GL_FLOAT, sums_.data());
  blur();
}

void Glow::blur() {
  blur(layers_[0], layers_[1], {1, 0});
  blur(layers_[1], layers_[0], {0, 1});
}

void Glow::blur(const PixelImage& from, const PixelImage& to, glm::ivec2 direction) {
  glBindTextureUnit(shared::light_unit, from.texture.name());
  direction_.set(direction);
  passes_.run(blur_, to);
}

glm::vec2 Glow::texture_scale() const { return 1.0F / glm::vec2(size_ * block_); }

}  // namespace orrery::render
