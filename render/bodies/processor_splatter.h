#pragma once

#include <cstddef>
#include <cstdint>
#include <glm/glm.hpp>
#include <vector>

#include "render/bodies/body_buffers.h"
#include "render/bodies/body_effect.h"
#include "render/bodies/body_look.h"
#include "render/bodies/density_pyramid.h"
#include "render/light/accumulation.h"
#include "render/light/light_pyramid.h"

namespace orrery::render {

/// Draws bodies without OpenGL, in main memory: where OpenGL has no GPU this takes a fraction of the time of
/// its point sprites. For rough pictures (BodyStyle::rough), which differ a little from exact ones.
class ProcessorSplatter {
 public:
  /// True if the CPU can draw this: bodies in main memory, no discs, no effects but those that are a
  /// ProcessorEffect, and a whole picture.
  static bool suits(const BodyBuffers& buffers, int slot, const BodyView& from, const BodyStyle& style);
  /// The light of all bodies of a slot becomes the light of the picture, whatever was there. Throws Error for
  /// an unknown colour mode or map.
  void draw(const BodyBuffers& buffers, int slot, const BodyView& from, const BodyStyle& style,
            const Accumulation& light);

 private:
  /// A body that is seen.
  struct Seen {
    std::size_t body;
    glm::vec2 place;  ///< pixels
    float half_width;
  };
  /// A star's image.
  struct Star {
    glm::vec2 place;
    float half_width;
    glm::vec4 light;
  };
  void find_seen(const BodyBuffers& buffers, int slot, const BodyView& from, const BodyStyle& style);
  void vary_stars(const BodyBuffers& buffers, const StarKinds& kinds);
  void add_bodies(const BodyBuffers& buffers, int slot, const BodyView& from, const BodyStyle& style);

  std::vector<Seen> seen_;
  std::vector<Star> stars_;
  std::vector<ProcessorEffect*> effects_;  ///< effects of the style of the present picture
  std::vector<glm::vec4> star_light_;      ///< deviation of each body's light from the mean
  std::vector<std::uint8_t> star_components_;
  StarKinds star_kinds_{};
  DensityPyramid crowd_;
  LightPyramid pyramid_;
};

}  // namespace orrery::render
