#include "render/light/light_levels.h"

#include <algorithm>

#include "render/context/gl.h"
#include "render_shaders.h"

namespace orrery::render {
namespace {

/// Texels around a level that interpolation reads.
constexpr int read_border = 2;

ShaderSources level_sources(PixelStage stage) {
  if (stage == PixelStage::compute)
    return {.name = "levels of light", .compute = {shaders::level_glsl, shaders::level_comp}};
  return {.name = "levels of light",
          .vertex = {shaders::fullscreen_vert},
          .fragment = {shaders::level_glsl, shaders::level_frag}};
}

}  // namespace

int levels_for(glm::ivec2 picture, float widest) {
  int count = 1;
  while (count < shared::most_levels && shared::widest_in_level * static_cast<float>(1 << count) < widest &&
         std::min(picture.x, picture.y) >> (count + 1) > 0)
    ++count;
  return count;
}

LightLevels::LightLevels(PixelStage stage)
    : stage_(stage),
      no_vertices_(make_vertex_array()),
      program_(level_sources(stage), [&](UniformTable& uniforms) {
        corner_ = uniforms.find<glm::ivec2>("corner");
        from_ = uniforms.find<glm::vec4>("from");
        if (stage != PixelStage::compute) return;
        first_ = uniforms.find<glm::ivec2>("first");
        size_ = uniforms.find<glm::ivec2>("size");
      }) {}

void LightLevels::resize(glm::ivec2 picture, float widest, glm::ivec2 whole) {
  const int count = levels_for(whole, widest);
  if (picture == picture_ && count == count_) return;
  count_ = count;
  arrange(picture);
  picture_ = picture;
  glTextureParameteri(all_.texture(), GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTextureParameteri(all_.texture(), GL_TEXTURE_MAG_FILTER, GL_LINEAR);
}

/// The first level on the left, the others in a column beside it.
void LightLevels::arrange(glm::ivec2 picture) {
  constexpr int border = shared::level_border;
  glm::ivec2 place{0, 0};
  glm::ivec2 all{0, 0};
  for (int i = 0; i < count_; ++i) {
    const glm::ivec2 size = (picture + (2 << i) - 1) >> (i + 1);
    levels_.at(static_cast<std::size_t>(i)) = {place + border, size};
    all = glm::max(all, place + size + 2 * border);
    place = i == 0 ? glm::ivec2(size.x + 2 * border, 0) : glm::ivec2(place.x, place.y + size.y + 2 * border);
  }
  all_.resize(all);
  sums_.resize(all);
}

std::array<glm::vec4, shared::most_levels> LightLevels::places() const {
  std::array<glm::vec4, shared::most_levels> places{};
  for (std::size_t i = 0; i < static_cast<std::size_t>(count_); ++i)
    places.at(i) = glm::vec4(levels_.at(i).corner, levels_.at(i).size);
  return places;
}

float LightLevels::widest() const { return shared::widest_in_level * static_cast<float>(1 << count_); }

void LightLevels::add_to(const Accumulation& light) {
  glBindTextureUnit(shared::levels_unit, all_.texture());
  program_.use();
  for (int coarse = count_ - 1; coarse > 0; --coarse)
    add_level(coarse, levels_.at(static_cast<std::size_t>(coarse) - 1), all_, read_border);
  add_level(0, {{0, 0}, picture_}, light, 0);
  glBindFramebuffer(GL_FRAMEBUFFER, light.framebuffer());
  glViewport(0, 0, light.size().x, light.size().y);
}

/// Into the texels of the finer level and that many around them.
void LightLevels::add_level(int coarse, const Level& fine, const Accumulation& target, int border) {
  corner_.set(fine.corner);
  const glm::vec2 begin(levels_.at(static_cast<std::size_t>(coarse)).corner);
  from_.set(glm::vec4(begin, 1.0F / glm::vec2(all_.size())));
  const glm::ivec2 first = fine.corner - border;
  const glm::ivec2 size = fine.size + 2 * border;
  if (stage_ == PixelStage::compute) {
    first_.set(first);
    size_.set(size);
    glBindImageTexture(shared::light_image, target.texture(), 0, GL_FALSE, 0, GL_READ_WRITE, GL_RGBA32F);
    dispatch_pixels(size);
    glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_FRAMEBUFFER_BARRIER_BIT |
                    GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
    return;
  }
  // What is read and what is written lie apart in one texture.
  glTextureBarrier();
  glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer());
  glViewport(first.x, first.y, size.x, size.y);
  add_light();
  glBindVertexArray(no_vertices_.name());
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glBindVertexArray(0);
  glDisable(GL_BLEND);
}

}  // namespace orrery::render
