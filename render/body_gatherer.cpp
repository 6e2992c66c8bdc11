#include "render/body_gatherer.h"

#include "render/gl.h"
#include "render/light_sums.h"
#include "render/shader_constants.h"
#include "render_shaders.h"

namespace orrery::render {

static_assert(sizeof(OneBody) == 2 * sizeof(glm::vec4));

BodyGatherer::BodyGatherer()
    : program_({.name = "gathering bodies", .compute = {shaders::body_gather_comp}},
               [this](UniformTable& uniforms) { count_ = uniforms.find<glm::uint>("count"); }) {}

void BodyGatherer::choose(std::span<const std::uint32_t> bodies) {
  bodies_.assign(bodies.begin(), bodies.end());
  if (bodies_.empty()) return;
  numbers_ = make_buffer();
  glNamedBufferStorage(numbers_.name(), static_cast<GLsizeiptr>(bodies.size_bytes()), bodies.data(), 0);
  gathered_ = make_buffer();
  glNamedBufferStorage(gathered_.name(), static_cast<GLsizeiptr>(bodies.size() * sizeof(OneBody)), nullptr,
                       0);
  check_gl("memory for some bodies");
}

std::vector<OneBody> BodyGatherer::read(const BodyBuffers& buffers, int slot) const {
  if (bodies_.empty()) return {};
  if (buffers.mapped_position(slot) == nullptr) return gather(buffers, slot);
  std::vector<OneBody> found;
  found.reserve(bodies_.size());
  for (const auto body : bodies_) found.push_back(read_body(buffers, slot, body));
  return found;
}

std::vector<OneBody> BodyGatherer::gather(const BodyBuffers& buffers, int slot) const {
  std::vector<OneBody> found(bodies_.size());
  bind_storage(shared::position_place, buffers.position_buffer(slot));
  bind_storage(shared::velocity_place, buffers.velocity_buffer(slot));
  bind_storage(shared::followed_place, numbers_.name());
  bind_storage(shared::track_place, gathered_.name());
  count_.set(static_cast<glm::uint>(bodies_.size()));
  program_.use();
  glDispatchCompute(groups_of(bodies_.size(), shared::track_group), 1, 1);
  glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
  glGetNamedBufferSubData(gathered_.name(), 0, static_cast<GLsizeiptr>(found.size() * sizeof(OneBody)),
                          found.data());
  return found;
}

}  // namespace orrery::render
