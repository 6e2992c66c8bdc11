#include "render/bodies/body_gatherer.h"

#include <utility>

#include "render/context/gl.h"
#include "render/context/shader_constants.h"
#include "render/error.h"
#include "render_shaders.h"

namespace orrery::render {

static_assert(sizeof(OneBody) == 2 * sizeof(glm::vec4));

BodyGatherer::BodyGatherer()
    : program_({.name = "gathering bodies", .compute = {shaders::body_gather_comp}},
               [this](UniformTable& uniforms) { count_ = uniforms.find<glm::uint>("count"); }) {}

void BodyGatherer::cancel() {
  fence_.clear();
  found_.reset();
}

void BodyGatherer::choose(std::span<const std::uint32_t> bodies) {
  cancel();
  bodies_.assign(bodies.begin(), bodies.end());
  if (bodies_.empty()) return;
  numbers_ = make_buffer();
  glNamedBufferStorage(numbers_.name(), static_cast<GLsizeiptr>(bodies.size_bytes()), bodies.data(), 0);
  gathered_ = make_buffer();
  mapped_ = static_cast<const OneBody*>(map_to_read(gathered_, bodies.size() * sizeof(OneBody)));
  if (mapped_ == nullptr) throw Error("no memory to read bodies back: give fewer of them arrows");
}

void BodyGatherer::begin(const BodyBuffers& buffers, int slot) {
  cancel();
  if (bodies_.empty()) return;
  if (buffers.mapped_position(slot) == nullptr) return gather(buffers, slot);
  found_.emplace();
  found_->reserve(bodies_.size());
  for (const auto body : bodies_) found_->push_back(read_body(buffers, slot, body));
}

void BodyGatherer::gather(const BodyBuffers& buffers, int slot) {
  bind_storage(shared::position_place, buffers.position_buffer(slot));
  bind_storage(shared::velocity_place, buffers.velocity_buffer(slot));
  bind_storage(shared::followed_place, numbers_.name());
  bind_storage(shared::trail_place, gathered_.name());
  count_.set(static_cast<glm::uint>(bodies_.size()));
  program_.use();
  glDispatchCompute(groups_of(bodies_.size(), shared::trail_group), 1, 1);
  glMemoryBarrier(GL_CLIENT_MAPPED_BUFFER_BARRIER_BIT);
  fence_.set();
}

std::optional<std::vector<OneBody>> BodyGatherer::take() {
  if (busy()) {
    if (!fence_.is_passed()) return std::nullopt;
    found_.emplace(mapped_, mapped_ + bodies_.size());
  }
  return std::exchange(found_, std::nullopt);
}

}  // namespace orrery::render
