#include "render/light/tone_mapper.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "render/context/gl.h"
#include "render/context/shader_constants.h"
#include "render_shaders.h"

namespace orrery::render {
namespace {

constexpr std::array<std::string_view, tone_curve_count> curve_shaders{
    shaders::tone_exponential_glsl, shaders::tone_aces_glsl, shaders::tone_linear_glsl,
    shaders::tone_asinh_glsl};
constexpr std::array<std::string_view, tone_curve_count> curve_names{"exponential", "aces", "linear",
                                                                     "asinh"};

/// Rough pictures that one glow serves.
constexpr int rough_pictures = 3;
/// As in shaders/tone.glsl.
constexpr float ink_colour = 0.55F;
constexpr float ink_black = 0.06F;

ShaderSources tone_sources(const PixelPass& passes, std::size_t curve, std::string_view wings) {
  return passes.sources("tone, curve " + std::string(curve_names[curve]),
                        {shaders::tone_glsl, curve_shaders[curve], wings});
}

}  // namespace

std::string_view tone_curve_name(ToneStyle::Curve curve) {
  return curve_names[static_cast<std::size_t>(curve)];
}

glm::vec3 inked(glm::vec3 srgb) {
  const float value = std::max({srgb.r, srgb.g, srgb.b});
  const glm::vec3 hue = srgb / std::max(value, 1e-6F);
  const float gray = std::min({hue.r, hue.g, hue.b});
  const glm::vec3 ink = (hue * hue - gray * gray) * ink_colour + ink_black;
  return glm::mix(glm::vec3(1.0F), ink, value);
}

ToneMapper::ToneProgram::ToneProgram(const PixelPass& passes, std::size_t curve, bool glowing)
    : program(tone_sources(passes, curve, glowing ? shaders::tone_glow_glsl : shaders::tone_no_glow_glsl),
              [&](UniformTable& uniforms) {
                exposure_background = uniforms.find<glm::vec4>("exposure_background");
                flags = uniforms.find<glm::vec3>("flags");
                corner = uniforms.find<glm::ivec2>("corner");
                if (curve == static_cast<std::size_t>(ToneStyle::Curve::asinh))
                  softening = uniforms.find<glm::vec2>("softening");
                if (glowing) glow = uniforms.find<glm::vec3>("glow");
              }) {}

ToneMapper::ToneMapper(PixelStage stage) : passes_(stage), glow_(passes_) {
  for (std::size_t i = 0; i < tone_curve_count; ++i) {
    programs_.emplace_back(passes_, i, false);
    glow_programs_.emplace_back(passes_, i, true);
  }
  check_gl("setting up the tone mapper");
}

void ToneMapper::draw(const Accumulation& light, const PictureTarget& target, const ToneStyle& style) {
  run(prepare(light, {}, style), target);
}

void ToneMapper::draw_part(const Accumulation& light, const PictureTile& tile, const PictureTarget& target,
                           const ToneStyle& style) {
  run(prepare(light, tile, style), target);
}

void ToneMapper::run(const ToneProgram& tone, const PictureTarget& target) {
  glDisable(GL_FRAMEBUFFER_SRGB);
  glDisable(GL_BLEND);
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_SCISSOR_TEST);
  passes_.run(tone.program, target.image());
  glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer());
  glViewport(0, 0, target.size().x, target.size().y);
}

/// The program of a style, ready to run.
const ToneMapper::ToneProgram& ToneMapper::prepare(const Accumulation& light, const PictureTile& tile,
                                                   const ToneStyle& style) {
  const bool glowing = style.glow > 0.0F;
  const auto& programs = glowing ? glow_programs_ : programs_;
  const ToneProgram& tone = programs[static_cast<std::size_t>(style.curve)];
  if (glowing) {
    if (tile.is_whole())
      update_glow(light, style);
    else
      update_glow_by_parts(style);
    const glm::vec2 scale = glow_.texture_scale();
    tone.glow.set({std::min(style.glow, 1.0F), scale.x, scale.y});
    glBindTextureUnit(shared::glow_unit, glow_.texture());
  }
  if (style.curve == ToneStyle::Curve::asinh)
    tone.softening.set({style.softening, 1.0F / std::asinh(style.softening)});
  tone.corner.set(tile.corner);
  tone.exposure_background.set({std::exp2(style.exposure_stops), style.background});
  const bool paper = style.paper && !style.transparent;
  tone.flags.set({style.dither ? 1.0F : 0.0F, style.transparent ? 1.0F : 0.0F, paper ? 1.0F : 0.0F});
  glBindTextureUnit(shared::light_unit, light.texture());
  return tone;
}

void ToneMapper::update_glow_by_parts(const ToneStyle& style) {
  glow_.update_by_parts(style.glow_width);
  glow_of_ = glm::ivec2(0);
}

void ToneMapper::update_glow(const Accumulation& light, const ToneStyle& style) {
  const bool serves = style.rough && glow_of_ == light.size() && glow_served_ < rough_pictures;
  if (!serves) glow_.update(light, style.glow_width);
  glow_of_ = light.size();
  glow_served_ = serves ? glow_served_ + 1 : 1;
}

}  // namespace orrery::render
