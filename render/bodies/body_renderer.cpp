#include "render/bodies/body_renderer.h"

#include <fmt/format.h>

#include <algorithm>

#include "render/context/shader_constants.h"
#include "render/light/light_levels.h"
#include "render_shaders.h"

namespace orrery::render {
namespace {

BodyProgram make_sprite_program(const BodyText& text) {
  const ShaderSources sources{.name = fmt::format("body, {}", text.name),
                              .vertex = {shaders::body_glsl, text.glsl, shaders::body_vert},
                              .fragment = {shaders::body_kernel_glsl, shaders::body_frag}};
  return {sources, text, [](BodyProgram& made, UniformTable& uniforms) {
            made.radii = uniforms.find<float>("radii", shared::most_discs);
            made.disc = uniforms.find<glm::vec4>("disc");
            made.is_disc = uniforms.find<float>("is_disc");
            made.stride = uniforms.find<glm::uint>("stride");
          }};
}

/// A length of 1 at distance 1, in pixels.
float pixels_of_length(const glm::mat4& projection, glm::ivec2 size) {
  return 0.5F * projection[1][1] * static_cast<float>(size.y);
}

void set_disc_uniforms(const BodyProgram& program, const BodyStyle& style, float pixels_of_length,
                       float largest) {
  const bool discs = !style.radii.empty();
  program.is_disc.set(discs ? 1.0F : 0.0F);
  if (!discs) return program.disc.set(glm::vec4(0.0F));
  auto radii = style.radii;
  radii.resize(std::min(radii.size(), std::size_t{shared::most_discs}));
  if (!style.radii_are_lengths)
    for (float& radius : radii) radius *= style.pixel_scale;
  program.radii.set(std::span<const float>(radii));
  // The light of bodies grows with the area of pixels; that of one pixel of a disc does not.
  program.disc.set({1.0F, style.radii_are_lengths ? pixels_of_length : 0.0F,
                    style.disc_light / (style.pixel_scale * style.pixel_scale), largest});
}

}  // namespace

BodyRenderer::BodyRenderer() : look_(make_sprite_program) {
  look_.prepare(std::string(color_modes().front()->name));
  check_gl("setting up the body renderer");
}

void BodyRenderer::draw(const BodyBuffers& buffers, int slot, const BodyView& from, const BodyStyle& style,
                        const BodyLayer& layer) {
  const float largest_disc = 0.5F * max_point_size_ - 1.0F;
  const float largest_half = style.radii.empty() ? 0.5F * largest_point(look_.sprite(style)) : largest_disc;
  // NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): those parts have levels
  const glm::ivec2 canvas = layer.to_levels() ? layer.levels->all().size() : from.canvas();
  const int margin = layer.to_levels() ? 0 : margin_.around(canvas, largest_half);
  const auto& program = look_.use(from, margin, style, layer);
  set_disc_uniforms(program, style, pixels_of_length(from.projection, from.size_px), largest_disc);
  program.stride.set(static_cast<glm::uint>(layer.stride));
  arrays_.bind(buffers, slot, layer.stride);
  add_light();
  glEnable(GL_PROGRAM_POINT_SIZE);
  glViewport(-margin, -margin, canvas.x + 2 * margin, canvas.y + 2 * margin);
  glDrawArrays(GL_POINTS, 0, static_cast<GLsizei>((buffers.bodies() + layer.stride - 1) / layer.stride));
  glViewport(0, 0, canvas.x, canvas.y);
  glDisable(GL_BLEND);
  glBindVertexArray(0);
}

}  // namespace orrery::render
