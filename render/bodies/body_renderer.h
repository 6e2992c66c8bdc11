#pragma once

#include "render/bodies/body_arrays.h"
#include "render/bodies/body_buffers.h"
#include "render/bodies/body_look.h"
#include "render/bodies/body_style.h"
#include "render/context/gl.h"

namespace orrery::render {

/// Draws bodies as additive point sprites. The light of a body is spread over pixels by a kernel that is
/// integrated exactly over each pixel, so that its sum is independent of size and sub-pixel position
/// (docs/rendering.md).
class BodyRenderer {
 public:
  /// Needs a current context. Compiles the default colour mode. Throws Error.
  BodyRenderer();

  /// Adds the light of all bodies of a slot, or a layer of it, to the framebuffer that is bound (float;
  /// Accumulation::begin), as large as the picture or its part; for a layer in levels that of the levels.
  /// Bodies behind the camera, with a position that is not finite, or of weight 0 are left out. Leaves the
  /// viewport over all of it, blending and depth test off. Throws Error for an unknown colour mode or map.
  void draw(const BodyBuffers& buffers, int slot, const BodyView& from, const BodyStyle& style,
            const BodyLayer& layer = {});

 private:
  BodyArrays arrays_;
  BodyLook look_;
  SpriteMargin margin_;
  float max_point_size_ = gl_info().max_point_size;
};

}  // namespace orrery::render
