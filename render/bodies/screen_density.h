#pragma once

#include <cstddef>
#include <memory>

#include "render/bodies/body_buffers.h"
#include "render/bodies/body_look.h"
#include "render/bodies/draw_chooser.h"

namespace orrery::render {

/// screen_density of shaders/body.glsl, where light is spread over a circle that holds `neighbours` bodies,
/// of which one in `stride` was counted: 1 / the width of all cells (pixels), bodies sought, half width of
/// one cell.
glm::vec3 crowding_scale(glm::ivec2 picture, float neighbours, std::size_t stride);

/// The local number of bodies in a picture: counts in square cells, and their means over squares of 2, 4, ...
/// cells. Computed for every picture; large numbers of bodies are sampled. Counts are whole numbers, so that
/// they depend neither on the order of counting nor on the device.
class ScreenDensity final : public Crowding {
 public:
  /// Needs a current context. `method`: whether the rasterizer counts or a compute shader. Throws Error.
  explicit ScreenDensity(DrawMethod method);
  ~ScreenDensity() override;
  ScreenDensity(const ScreenDensity&) = delete;
  ScreenDensity& operator=(const ScreenDensity&) = delete;

  /// Counts the bodies of a slot that are drawn, also somewhat outside of the picture. Of rough pictures
  /// every second one does with what was counted for the one before. Another framebuffer may be bound
  /// afterwards.
  void update(const BodyBuffers& buffers, int slot, const BodyView& from, const BodyStyle& style);
  /// Forgets the counts: they serve no further picture.
  void forget();
  GlName texture() const override;
  glm::vec3 uniform(glm::ivec2 picture, float neighbours) const override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace orrery::render
