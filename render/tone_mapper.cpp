#include "render/tone_mapper.h"

#include <algorithm>
#include <cmath>
#include <glm/gtc/type_ptr.hpp>
#include <string>

#include "render/gl.h"
#include "render_shaders.h"

namespace orrery::render {
namespace {

constexpr GLint exposure_location = 0;
constexpr GLint switches_location = 1;
constexpr GLint glow_location = 2;

constexpr std::array<std::string_view, tone_curve_count> curve_shaders{
    shaders::tone_exponential_glsl, shaders::tone_aces_glsl, shaders::tone_linear_glsl,
    shaders::tone_asinh_glsl};
constexpr std::array<std::string_view, tone_curve_count> curve_names{"exponential", "aces", "linear",
                                                                     "asinh"};

Program make_tone_program(std::size_t curve, std::string_view wings) {
  const std::array<std::string_view, 1> vertex{shaders::fullscreen_vert};
  const std::array<std::string_view, 3> fragment{shaders::tone_frag, curve_shaders[curve], wings};
  return make_program("tone, curve " + std::string(curve_names[curve]), vertex, fragment);
}

}  // namespace

std::string_view tone_curve_name(ToneStyle::Curve curve) {
  return curve_names[static_cast<std::size_t>(curve)];
}

ToneMapper::ToneMapper() : no_vertices_(make_vertex_array()) {
  for (std::size_t i = 0; i < tone_curve_count; ++i) {
    programs_[i] = make_tone_program(i, shaders::tone_no_glow_glsl);
    glow_programs_[i] = make_tone_program(i, shaders::tone_glow_glsl);
  }
  check_gl("setting up the tone mapper");
}

void ToneMapper::draw(const Accumulation& light, GlName target_framebuffer, glm::ivec2 size,
                      const ToneStyle& style) {
  const bool glowing = style.glow > 0.0F;
  const auto& programs = glowing ? glow_programs_ : programs_;
  const GlName program = programs[static_cast<std::size_t>(style.curve)].name();
  if (glowing) {
    glow_.update(light, no_vertices_.name());
    const glm::vec2 scale = glow_.texture_scale();
    glProgramUniform3f(program, glow_location, std::min(style.glow, 1.0F), scale.x, scale.y);
    glBindTextureUnit(1, glow_.texture());
  }
  const glm::vec4 exposure(std::exp2(style.exposure_stops), style.background);
  glProgramUniform4fv(program, exposure_location, 1, glm::value_ptr(exposure));
  glProgramUniform2f(program, switches_location, style.dither ? 1.0F : 0.0F, style.transparent ? 1.0F : 0.0F);
  glBindFramebuffer(GL_FRAMEBUFFER, target_framebuffer);
  // Outside the light there is nothing to read.
  glViewport(0, 0, std::min(size.x, light.size().x), std::min(size.y, light.size().y));
  glDisable(GL_BLEND);
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_SCISSOR_TEST);
  glDisable(GL_FRAMEBUFFER_SRGB);
  glBindTextureUnit(0, light.texture());
  glUseProgram(program);
  glBindVertexArray(no_vertices_.name());
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glBindVertexArray(0);
}

}  // namespace orrery::render
