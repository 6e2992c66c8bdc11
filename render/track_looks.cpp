#include "render/track_looks.h"

#include <fmt/format.h>

#include "render/gl.h"
#include "render/light_sums.h"
#include "render/shader_constants.h"
#include "render_shaders.h"

namespace orrery::render {
namespace {

constexpr std::size_t bytes_per_body = 2 * sizeof(glm::vec4);

BodyProgram make_program(const ColorMode& mode, const std::string& scalar) {
  const ShaderSources sources{.name = fmt::format("track look, colour mode {}", mode.name),
                              .compute = {shaders::body_glsl, shaders::track_look_comp, scalar}};
  BodyProgram made;
  made.program = ShaderProgram(sources, [&](UniformTable& uniforms) {
    made.find_uniforms(uniforms);
    made.work = uniforms.find<glm::uvec2>("work");
  });
  return made;
}

}  // namespace

TrackLooks::TrackLooks() : look_(make_program) {}

void TrackLooks::resize(std::size_t bodies) {
  if (bodies == bodies_) return;
  looks_ = make_buffer();
  glNamedBufferStorage(looks_.name(), static_cast<GLsizeiptr>(bodies * bytes_per_body), nullptr, 0);
  texture_ = make_texture(GL_TEXTURE_BUFFER);
  glTextureBuffer(texture_.name(), GL_RGBA32F, looks_.name());
  bodies_ = bodies;
}

void TrackLooks::update(const Tracks& tracks, const BodyBuffers& buffers, int slot, const BodyView& from,
                        const BodyStyle& style) {
  resize(tracks.bodies());
  const BodyProgram& program = look_.use(from, 0, style);
  program.work.set({static_cast<glm::uint>(tracks.bodies()), 0U});
  for (const int place : {shared::position_place, shared::velocity_place, shared::component_place,
                          shared::galaxy_place, shared::quantity_place})
    bind_storage(place, buffers.buffer(place, slot));
  bind_storage(shared::followed_place, tracks.followed());
  bind_storage(shared::track_place, looks_.name());
  glDispatchCompute(groups_of(bodies_, shared::track_group), 1, 1);
  glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT);
}

}  // namespace orrery::render
