#include "render/trails/trail_looks.h"

#include <fmt/format.h>

#include "render/context/gl.h"
#include "render/context/shader_constants.h"
#include "render/light/light_sums.h"
#include "render_shaders.h"

namespace orrery::render {
namespace {

constexpr std::size_t bytes_per_body = 2 * sizeof(glm::vec4);

BodyProgram make_program(const BodyText& text) {
  const ShaderSources sources{
      .name = fmt::format("trail look, {}", text.name),
      .compute = {shaders::body_glsl, text.glsl, shaders::stored_bodies_glsl, shaders::trail_look_comp}};
  return {sources, text, find_work};
}

}  // namespace

TrailLooks::TrailLooks() : look_(make_program) {}

void TrailLooks::resize(std::size_t bodies) {
  if (bodies == bodies_) return;
  looks_ = make_buffer();
  glNamedBufferStorage(looks_.name(), static_cast<GLsizeiptr>(bodies * bytes_per_body), nullptr, 0);
  texture_ = make_texture(GL_TEXTURE_BUFFER);
  glTextureBuffer(texture_.name(), GL_RGBA32F, looks_.name());
  bodies_ = bodies;
}

void TrailLooks::update(const Trails& trails, const BodyBuffers& buffers, int slot, const BodyView& from,
                        const BodyStyle& style) {
  resize(trails.bodies());
  const BodyProgram& program = look_.use(from, 0, style);
  program.work.set({static_cast<glm::uint>(trails.bodies()), 0U});
  for (const int place : {shared::position_place, shared::velocity_place, shared::component_place,
                          shared::galaxy_place, shared::quantity_place})
    bind_storage(place, buffers.buffer(place, slot));
  bind_storage(shared::followed_place, trails.followed());
  bind_storage(shared::trail_place, looks_.name());
  glDispatchCompute(groups_of(bodies_, shared::trail_group), 1, 1);
  glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT);
}

}  // namespace orrery::render
