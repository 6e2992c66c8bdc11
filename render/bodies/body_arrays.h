#pragma once

#include <cstddef>
#include <glm/glm.hpp>

#include "render/bodies/body_buffers.h"
#include "render/context/gl_object.h"

namespace orrery::render {

/// The arrays of bodies as the attributes of vertex shaders, whose locations are those of shaders/shared.h.
class BodyArrays {
 public:
  /// Needs a current context.
  BodyArrays();
  /// Binds the arrays of a slot: every body, or one in `stride`, at most most_vertex_stride of BodyLook.
  void bind(const BodyBuffers& buffers, int slot, std::size_t stride = 1) const;

 private:
  VertexArray vertices_ = make_vertex_array();
};

/// The pixels around a picture by which the viewport is wider than it, so that a sprite whose middle is just
/// outside is not clipped away.
class SpriteMargin {
 public:
  /// Needs a current context.
  SpriteMargin();
  /// The margin for sprites that reach so many pixels from their middles, as far as the viewport allows.
  int around(glm::ivec2 size, float reach) const;

 private:
  glm::ivec2 max_viewport_{0, 0};
};

}  // namespace orrery::render
