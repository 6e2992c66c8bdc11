#pragma once

#include <glm/glm.hpp>

#include "render/context/gl_object.h"
#include "render/context/shader_program.h"
#include "render/light/accumulation.h"

namespace orrery::render {

/// Sums of light that compute shaders add to atomically: 4 floats per pixel in a storage buffer, rows from
/// below.
class LightSums {
 public:
  /// Allocates for a size in pixels, all zeros; does nothing if that is the size already. Throws Error when
  /// out of memory.
  void resize(glm::ivec2 size);
  /// Binds the sums at sum_place of shaders/shared.h, for the next dispatch.
  void bind() const;
  /// Adds the sums to a picture of their size, and sets them to 0.
  void add_to(const Accumulation& light);

 private:
  Buffer sums_;
  glm::ivec2 size_{0, 0};
  ShaderProgram add_;
};

}  // namespace orrery::render
