#pragma once

#include <glm/glm.hpp>
#include <memory>
#include <string>

#include "render/bodies/body_buffers.h"
#include "render/bodies/body_look.h"
#include "render/bodies/body_style.h"

namespace orrery::render {

/// Draws bodies as additive point sprites. The light of a body is spread over pixels by a kernel that is
/// integrated exactly over each pixel, so that its sum is independent of size and sub-pixel position
/// (docs/rendering.md).
class BodyRenderer {
 public:
  /// Needs a current context. Compiles the default colour mode. Throws Error.
  BodyRenderer();
  ~BodyRenderer();
  BodyRenderer(const BodyRenderer&) = delete;
  BodyRenderer& operator=(const BodyRenderer&) = delete;

  /// Adds the light of all bodies of a slot to the framebuffer that is bound (float; Accumulation::begin),
  /// whose size is `size_px`. Bodies behind the camera, with a position that is not finite, or of weight 0
  /// are left out. Leaves the viewport at (0, 0, size_px), blending and depth test off. Throws Error for an
  /// unknown colour mode or map.
  void draw(const BodyBuffers& buffers, int slot, const glm::mat4& view, const glm::mat4& projection,
            glm::ivec2 size_px, const BodyStyle& style);
  /// Adds the light, or a layer of it, of a part of a picture. For a layer in levels their framebuffer must
  /// be bound.
  void draw(const BodyBuffers& buffers, int slot, const BodyView& from, const BodyStyle& style,
            const BodyLayer& layer);

  /// Compiles the shader of a colour mode ahead of its first use, so that no frame stutters. Throws Error.
  void prepare(const std::string& color_mode);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace orrery::render
