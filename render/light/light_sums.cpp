#include "render/light/light_sums.h"

#include <fmt/format.h>

#include "render/context/gl.h"
#include "render/context/shader_constants.h"
#include "render/error.h"
#include "render_shaders.h"

namespace orrery::render {
namespace {

Buffer make_sums(glm::ivec2 size) {
  const auto pixels = static_cast<std::size_t>(size.x) * static_cast<std::size_t>(size.y);
  Buffer sums = make_storage(pixels * sizeof(glm::vec4), nullptr, 0,
                             "{:.1f} MB of sums: use a smaller picture, or splatting=raster");
  glClearNamedBufferData(sums.name(), GL_RGBA32F, GL_RGBA, GL_FLOAT, nullptr);
  return sums;
}

}  // namespace

void LightSums::resize(glm::ivec2 size) {
  if (size == size_) return;
  sums_ = Buffer();
  size_ = {0, 0};
  sums_ = make_sums(size);
  size_ = size;
}

void LightSums::bind() const { bind_storage(shared::sum_place, sums_.name()); }

void LightSums::add_to(const Accumulation& light) {
  if (add_.name() == 0) add_ = ShaderProgram({.name = "adding splats", .compute = {shaders::splat_add_comp}});
  bind();
  glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
  glBindImageTexture(shared::light_image, light.texture(), 0, GL_FALSE, 0, GL_READ_WRITE, GL_RGBA32F);
  add_.use();
  dispatch_pixels(light.size());
  glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_TEXTURE_FETCH_BARRIER_BIT | GL_FRAMEBUFFER_BARRIER_BIT |
                  GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
}

}  // namespace orrery::render
