#pragma once

#include <algorithm>
#include <span>

#include "render/bodies/body_buffers.h"
#include "render/context/gl.h"
#include "render/error.h"

namespace orrery::render {

inline void upload(const BodyBuffers& buffers, float* mapped, GlName buffer, std::span<const float> values) {
  if (values.size() != 4 * buffers.bodies()) throw Error("4 floats per body are needed");
  if (mapped != nullptr)
    std::ranges::copy(values, mapped);
  else
    glNamedBufferSubData(buffer, 0, static_cast<GLsizeiptr>(values.size_bytes()), values.data());
}

/// Copies 4 floats per body into a slot, in order with the draw calls. Throws Error if the length differs.
inline void upload_position(BodyBuffers& buffers, int slot, std::span<const float> xyz_mass) {
  upload(buffers, buffers.mapped_position(slot), buffers.position_buffer(slot), xyz_mass);
}
inline void upload_velocity(BodyBuffers& buffers, int slot, std::span<const float> velocity) {
  upload(buffers, buffers.mapped_velocity(slot), buffers.velocity_buffer(slot), velocity);
}

}  // namespace orrery::render
