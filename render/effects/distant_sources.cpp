#include "render/effects/distant_sources.h"

#include <fmt/format.h>

#include <string_view>

#include "render/context/gl.h"
#include "render/context/shader_constants.h"
#include "render/error.h"
#include "render_shaders.h"

namespace orrery::render {
namespace {

std::string_view shader_named(const std::string& name) {
  for (const auto& file : shaders::embedded_files)
    if (file.name == name) return file.text;
  throw Error(fmt::format("there is no shader {}", name));
}

}  // namespace

DistantSources::DistantSources(const std::string& shader,
                               const std::function<void(UniformTable&)>& find_uniforms)
    : program_({.name = shader,
                .vertex = {shaders::distant_vert, shader_named(shader)},
                .fragment = {shaders::body_kernel_glsl, shaders::distant_frag}},
               [&](UniformTable& uniforms) {
                 directions_ = uniforms.find<glm::mat4>("directions");
                 picture_ = uniforms.find<glm::vec4>("picture");
                 canvas_ = uniforms.find<glm::vec2>("canvas");
                 corner_ = uniforms.find<glm::vec2>("corner");
                 find_uniforms(uniforms);
               }) {}

void DistantSources::draw(const BodyView& from, std::size_t sources, float largest,
                          GlName framebuffer) const {
  const glm::ivec2 canvas = from.canvas();
  const int around = margin_.around(canvas, largest * static_cast<float>(from.size_px.y) + 2.0F);
  directions_.set(from.projection * glm::mat4(glm::mat3(from.view)));
  picture_.set({glm::vec2(from.size_px), static_cast<float>(around), largest_half_});
  canvas_.set(glm::vec2(canvas));
  corner_.set(glm::vec2(from.tile.corner));
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  glBindVertexArray(no_vertices_.name());
  program_.use();
  add_light();
  glBlendFuncSeparate(GL_ONE_MINUS_DST_COLOR, GL_ONE, GL_ZERO, GL_ONE);
  glEnable(GL_PROGRAM_POINT_SIZE);
  glViewport(-around, -around, canvas.x + 2 * around, canvas.y + 2 * around);
  glDrawArrays(GL_POINTS, 0, static_cast<GLsizei>(sources));
  glViewport(0, 0, canvas.x, canvas.y);
  glDisable(GL_BLEND);
  glBindVertexArray(0);
}

float DistantSources::half_width_of_star(float width) { return 0.5F * width / shared::half_maximum; }

}  // namespace orrery::render
