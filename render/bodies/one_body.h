#pragma once

#include <cstddef>
#include <glm/glm.hpp>

#include "render/bodies/body_buffers.h"

namespace orrery::render {

/// One body as a slot holds it: (x, y, z, mass) and (vx, vy, vz, the square of the acceleration).
struct OneBody {
  glm::vec4 position{0.0F};
  glm::vec4 velocity{0.0F};
};

/// Reads 32 bytes. Of buffers in device memory the GPU's work on the slot is waited for. `body` < bodies().
OneBody read_body(const BodyBuffers& buffers, int slot, std::size_t body);

}  // namespace orrery::render
