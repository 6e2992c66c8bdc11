#pragma once

#include <memory>

#include "render/bodies/body_buffers.h"
#include "render/bodies/body_look.h"

namespace orrery::render {

/// The dust in front of every place of a picture, at depths from the eye: counted in slices, which are then
/// summed up from the nearest to the farthest. Made anew for every picture, for all of it also where only a
/// tile is drawn, always by the rasterizer.
class DustLayer {
 public:
  /// Needs a current context. Throws Error.
  DustLayer();
  ~DustLayer();
  DustLayer(const DustLayer&) = delete;
  DustLayer& operator=(const DustLayer&) = delete;

  /// Finds the dust of the bodies of a slot. Another framebuffer is bound afterwards.
  void update(const BodyBuffers& buffers, int slot, const BodyView& from, const BodyStyle& style);
  /// The sums, in slices side by side: dust_columns_in_front of shaders/body.glsl.
  GlName texture() const;
  /// dust and dust_grid of shaders/body.glsl.
  glm::vec4 absorption() const { return absorption_; }
  glm::vec4 grid() const { return grid_; }

 private:
  struct State;
  void arrange(const BodyView& from, const BodyStyle& style);

  std::unique_ptr<State> state_;
  glm::vec4 absorption_{0.0F};
  glm::vec4 grid_{0.0F};
};

}  // namespace orrery::render
