#include "render/effects/spikes.h"

#include <fmt/format.h>

#include "render/context/gl.h"
#include "render/context/shader_constants.h"
#include "render/context/target.h"
#include "render_shaders.h"

namespace orrery::render {
namespace {

BodyProgram make_program(const BodyText& text) {
  const ShaderSources sources{.name = fmt::format("spikes, {}", text.name),
                              .vertex = {shaders::body_glsl, text.glsl, shaders::spike_vert},
                              .fragment = {shaders::body_kernel_glsl, shaders::spike_frag},
                              .geometry = {shaders::spike_geom}};
  return {sources, text};
}

}  // namespace

BodyEffect::Code Spikes::code() const { return {.glsl = shaders::spikes_glsl, .takes = "spike_share"}; }

BodyEffect::Setter Spikes::find_uniforms(UniformTable& uniforms) {
  const auto spikes = uniforms.find<glm::vec3>("spikes");
  return [this, spikes](const BodyStyle& bodies) {
    const float light = bodies.brightness * bodies.pixel_scale * bodies.pixel_scale;
    spikes.set({style.light * light, style.share, style.length});
  };
}

void Spikes::draw(const BodyScene& scene, const BodyLayer& layer) {
  if (!look_) look_.emplace(make_program, this);
  if (!arrays_) arrays_.emplace();
  BodyLayer own = layer;
  own.part = shared::part_effect;
  look_->use(scene.from, 0, scene.style, own);
  arrays_->bind(scene.buffers, scene.slot);
  add_light();
  glViewport(0, 0, scene.from.canvas().x, scene.from.canvas().y);
  glDrawArrays(GL_POINTS, 0, static_cast<GLsizei>(scene.buffers.bodies()));
  glDisable(GL_BLEND);
  glBindVertexArray(0);
}

}  // namespace orrery::render
