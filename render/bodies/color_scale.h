#pragma once

#include <array>
#include <glm/glm.hpp>

#include "render/color_maps/color_map.h"

namespace orrery::render {

struct BodyStyle;
struct ColorMode;

/// Maps a scalar to a colour on the CPU, as body_color() of shaders/body.glsl does for modes that are not
/// categorical. Colours are those of the map, without BodyStyle::equal_luminance.
class ColorScale {
 public:
  /// Throws Error for a map that is not there.
  ColorScale(const BodyStyle& style, const ColorMode& mode);

  /// First value (its logarithm if logarithmic), 1 / (last - first), 1 if logarithmic. Finite whatever the
  /// style says; equal ends make a step.
  glm::vec3 range() const { return range_; }
  const ColorMap& map() const { return map_; }
  /// Linear RGB.
  glm::vec3 color(float value) const;

 private:
  const ColorMap& map_;
  glm::vec3 range_;
  bool reversed_;
  std::array<glm::vec4, 3> outside_;
};

}  // namespace orrery::render
