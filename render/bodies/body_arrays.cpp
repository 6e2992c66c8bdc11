#include "render/bodies/body_arrays.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <glm/glm.hpp>
#include <glm/gtc/type_ptr.hpp>

#include "render/context/gl.h"
#include "render/context/shader_constants.h"

namespace orrery::render {
namespace {

/// The arrays of a body in vertex buffers, whose bindings have the numbers of the attributes.
struct BodyArray {
  int place;
  GLint values;
  GLenum type;
  GLsizei stride;  ///< bytes from body to body
};
constexpr std::array arrays{
    BodyArray{shared::position_place, 4, GL_FLOAT, sizeof(glm::vec4)},
    BodyArray{shared::velocity_place, 4, GL_FLOAT, sizeof(glm::vec4)},
    BodyArray{shared::component_place, 1, GL_UNSIGNED_BYTE, sizeof(std::uint8_t)},
    BodyArray{shared::galaxy_place, 1, GL_UNSIGNED_INT, sizeof(std::uint32_t)},
    BodyArray{shared::quantity_place, 1, GL_FLOAT, sizeof(float)},
};
static_assert(sizeof(glm::vec4) == 4 * sizeof(float));

}  // namespace

BodyArrays::BodyArrays() {
  const GlName array = vertices_.name();
  for (const auto& each : arrays) {
    const auto place = static_cast<GLuint>(each.place);
    glEnableVertexArrayAttrib(array, place);
    glVertexArrayAttribBinding(array, place, place);
    if (each.type == GL_FLOAT)
      glVertexArrayAttribFormat(array, place, each.values, each.type, GL_FALSE, 0);
    else
      glVertexArrayAttribIFormat(array, place, each.values, each.type, 0);
  }
}

void BodyArrays::bind(const BodyBuffers& buffers, int slot, std::size_t stride) const {
  const GlName array = vertices_.name();
  for (const auto& each : arrays)
    glVertexArrayVertexBuffer(array, static_cast<GLuint>(each.place), buffers.buffer(each.place, slot), 0,
                              each.stride * static_cast<GLsizei>(stride));
  glBindVertexArray(array);
}

SpriteMargin::SpriteMargin() { glGetIntegerv(GL_MAX_VIEWPORT_DIMS, glm::value_ptr(max_viewport_)); }

int SpriteMargin::around(glm::ivec2 size, float reach) const {
  const int wanted = static_cast<int>(std::ceil(reach));
  const glm::ivec2 room = (max_viewport_ - size) / 2;
  return std::max(0, std::min({wanted, room.x, room.y}));
}

}  // namespace orrery::render
