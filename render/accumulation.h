#pragma once

#include <glm/glm.hpp>
#include <vector>

#include "render/gl_object.h"

namespace orrery::render {

/// The light collector: a framebuffer of 32-bit floats. RGB is linear light, A the light without its colour.
class Accumulation {
 public:
  /// Allocates for a size in pixels; does nothing if that is the size already. Throws Error if the size is
  /// not positive, above the limits of the driver, or out of memory.
  void resize(glm::ivec2 size);
  /// Binds the framebuffer, sets the viewport and clears to darkness.
  void begin();
  GlName texture() const { return texture_.name(); }
  GlName framebuffer() const { return framebuffer_.name(); }
  glm::ivec2 size() const { return size_; }
  /// 4 floats a pixel, bottom row first. Waits for the GPU.
  std::vector<float> read() const;

 private:
  Texture texture_;
  Framebuffer framebuffer_;
  glm::ivec2 size_{0, 0};
};

}  // namespace orrery::render
