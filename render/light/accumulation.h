#pragma once

#include <glm/glm.hpp>
#include <optional>
#include <span>
#include <vector>

#include "render/context/pixel_pass.h"

namespace orrery::render {

/// The light collector: a framebuffer of 32-bit floats. RGB is linear light, A the light without its colour.
class Accumulation {
 public:
  /// Needs a current context. `stage`: what empties it.
  explicit Accumulation(PixelStage stage = suitable_pixel_stage()) : stage_(stage) {}
  /// Allocates for a size in pixels; does nothing if that is the size already. Throws Error if the size is
  /// not positive, above the limits of the driver, or out of memory.
  void resize(glm::ivec2 size);
  /// Binds the framebuffer, sets the viewport and clears to darkness.
  void begin();
  GlName texture() const { return image_.texture.name(); }
  GlName framebuffer() const { return image_.framebuffer.name(); }
  glm::ivec2 size() const { return image_.size; }
  /// Copies all of it into a larger one, with its lower left pixel at `corner`, or takes as much from there.
  void copy_into(const Accumulation& larger, glm::ivec2 corner) const;
  void copy_from(const Accumulation& larger, glm::ivec2 corner) const;
  /// 4 floats per pixel, bottom row first. Waits for the GPU.
  std::vector<float> read() const;
  /// The light of all pixels, as `read` gives it.
  void write(std::span<const glm::vec4> pixels) const;

 private:
  /// Empties by a compute shader, where that is faster.
  struct Eraser {
    PixelPass pass{PixelStage::compute};
    ShaderProgram program;
    Eraser();
  };
  PixelStage stage_;
  PixelImage image_;
  std::optional<Eraser> eraser_;
};

}  // namespace orrery::render
