#include "render/effects/light_points.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "render/bodies/body_arrays.h"
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

float half_width_of(float width_px) { return 0.5F * width_px / shared::half_maximum; }

}  // namespace

LightPoints::LightPoints(const std::string& shader, const std::function<void(UniformTable&)>& find_uniforms)
    : program_({.name = shader,
                .vertex = {shaders::light_point_vert, shader_named(shader)},
                .fragment = {shaders::body_kernel_glsl, shaders::body_frag}},
               [&](UniformTable& uniforms) {
                 directions_ = uniforms.find<glm::mat4>("directions");
                 picture_ = uniforms.find<glm::vec3>("picture");
                 canvas_ = uniforms.find<glm::vec2>("canvas");
                 corner_ = uniforms.find<glm::vec2>("corner");
                 half_width_ = uniforms.find<float>("half_width");
                 is_disc_ = uniforms.find<float>("is_disc");
                 find_uniforms(uniforms);
               }) {}

void LightPoints::draw(const BodyView& from, std::size_t points, float width_px,
                       const Accumulation& light) const {
  const float half_width = half_width_of(width_px);
  // A sprite whose middle is just outside is not clipped away.
  const int margin = static_cast<int>(std::ceil(half_width)) + 1;
  const glm::ivec2 canvas = from.canvas();
  directions_.set(from.projection * glm::mat4(glm::mat3(from.view)));
  picture_.set({glm::vec2(from.size_px), static_cast<float>(margin)});
  canvas_.set(glm::vec2(canvas));
  corner_.set(glm::vec2(from.tile.corner));
  half_width_.set(half_width);
  is_disc_.set(0.0F);
  glBindFramebuffer(GL_FRAMEBUFFER, light.framebuffer());
  glBindVertexArray(no_vertices_.name());
  program_.use();
  add_light();
  glEnable(GL_PROGRAM_POINT_SIZE);
  glViewport(-margin, -margin, canvas.x + 2 * margin, canvas.y + 2 * margin);
  glDrawArrays(GL_POINTS, 0, static_cast<GLsizei>(points));
  glViewport(0, 0, canvas.x, canvas.y);
  glDisable(GL_BLEND);
  glBindVertexArray(0);
}

/// By the triweight kernel of shaders/body_kernel.glsl, 35/32 / half width at its middle, in both directions.
float LightPoints::light_of_peak(float width_px) {
  const float side = 32.0F / 35.0F * half_width_of(width_px);
  return side * side;
}

}  // namespace orrery::render
