#include "render/bodies/one_body.h"

#include <cstring>

#include "render/context/gl.h"

namespace orrery::render {

namespace {

glm::vec4 read_four(GlName buffer, const float* mapped, std::size_t body) {
  glm::vec4 values;
  if (mapped != nullptr)
    std::memcpy(&values, mapped + 4 * body, sizeof values);
  else
    glGetNamedBufferSubData(buffer, static_cast<GLintptr>(body * sizeof values), sizeof values, &values);
  return values;
}

}  // namespace

OneBody read_body(const BodyBuffers& buffers, int slot, std::size_t body) {
  return {read_four(buffers.position_buffer(slot), buffers.mapped_position(slot), body),
          read_four(buffers.velocity_buffer(slot), buffers.mapped_velocity(slot), body)};
}

}  // namespace orrery::render
