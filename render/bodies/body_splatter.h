#pragma once

#include <cstddef>
#include <glm/glm.hpp>
#include <string>

#include "render/bodies/body_buffers.h"
#include "render/bodies/body_effect.h"
#include "render/bodies/body_look.h"
#include "render/bodies/body_style.h"
#include "render/light/accumulation.h"
#include "render/light/light_sums.h"

namespace orrery::render {

/// Draws bodies as BodyRenderer does, to within rounding, but with a compute shader that adds the light of
/// each body to a buffer with atomic additions. Far faster than point sprites on cards with few raster units.
/// The order of the additions is not fixed, so the last bits of two pictures of the same bodies differ
/// (docs/rendering.md).
class BodySplatter {
 public:
  enum class Atomics {
    automatic,         ///< atomic additions of floats where OpenGL has them
    compare_and_swap,  ///< works everywhere, but is slower
  };
  /// Needs a current context. Nothing is compiled before the first draw.
  explicit BodySplatter(Atomics atomics = Atomics::automatic);
  BodySplatter(const BodySplatter&) = delete;
  BodySplatter& operator=(const BodySplatter&) = delete;

  /// Why this OpenGL cannot draw that many bodies at this size by compute, in one line; empty if it can.
  std::string refusal(std::size_t bodies, glm::ivec2 size_px) const;

  /// Adds the light of all bodies of a slot, or a layer of it, to `light`, at its size. Leaves out what
  /// BodyRenderer leaves out. Changes no state of the pipeline but the program in use. Throws Error for an
  /// unknown colour mode or map, where refusal() gives a reason, if a shader does not compile, and if there
  /// is no memory for the sums (16 bytes per pixel).
  void draw(const BodyBuffers& buffers, int slot, const BodyView& from, const Accumulation& light,
            const BodyStyle& style, const BodyLayer& layer = {});
  /// Adds a layer of the light to the levels of a picture.
  void draw(const BodyBuffers& buffers, int slot, const BodyView& from, LightLevels& levels,
            const BodyStyle& style, const BodyLayer& layer);

  /// Sets the number of invocations that work on one body: 4, 8, 16 or 32; 0 (the default) chooses by the
  /// size of the sprites. For measurements. Throws Error for other numbers.
  void set_team(int invocations);

  /// True where floats are added by one atomic operation (GL_NV_shader_atomic_float).
  bool has_float_atomics() const { return float_atomics_; }

 private:
  void splat(const BodyScene& scene, const BodyLayer& layer, int invocations, const LightSums& into);

  bool float_atomics_;
  BodyLook look_;
  LightSums sums_;
  int team_ = 0;
  std::size_t largest_block_ = 0;
};

}  // namespace orrery::render
