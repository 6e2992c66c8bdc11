#pragma once

#include <cstddef>

#include "render/bodies/body_look.h"
#include "render/trails/trails.h"

namespace orrery::render {

/// The light and the place in the grid of every body that is followed, as the bodies themselves are drawn:
/// found by a compute shader, in a buffer texture of two texels per body.
class TrailLooks {
 public:
  TrailLooks();
  /// Updates the looks for the bodies in a slot; `view` and `style` as in BodyRenderer::draw. Throws Error
  /// like that.
  void update(const Trails& trails, const BodyBuffers& buffers, int slot, const BodyView& from,
              const BodyStyle& style);
  GlName texture() const { return texture_.name(); }

 private:
  void resize(std::size_t bodies);

  BodyLook look_;
  Buffer looks_;
  Texture texture_;
  std::size_t bodies_ = 0;
};

}  // namespace orrery::render
