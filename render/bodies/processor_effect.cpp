#include "render/bodies/processor_effect.h"

#include <cmath>

#include "render/bodies/body_buffers.h"
#include "render/bodies/body_effect.h"
#include "render/context/gl.h"

namespace orrery::render {

bool counted_in_memory(const BodyScene& scene) {
  return gl_info().software && scene.buffers.mapped_position(scene.slot) != nullptr &&
         !scene.buffers.components().empty();
}

glm::mat2x3 axes_across(const glm::vec3& normal) {
  const glm::vec3 other = std::abs(normal.x) < 0.7F ? glm::vec3(1, 0, 0) : glm::vec3(0, 1, 0);
  const glm::vec3 right = glm::normalize(glm::cross(other, normal));
  return {right, glm::cross(normal, right)};
}

}  // namespace orrery::render
