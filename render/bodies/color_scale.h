#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/glm.hpp>
#include <limits>

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
  /// Linear RGB. `of_place`: the map's colour at a place from 0 to 1.
  template <typename OfPlace>
  glm::vec3 color(float value, const OfPlace& of_place) const {
    const auto own = [&](std::size_t k) { return outside_.at(k).a > 0.5F; };
    const bool no_number = std::isnan(value);
    if (no_number && own(2)) return glm::vec3(outside_[2]);
    const float s = range_.z > 0.5F ? std::log(std::max(value, std::numeric_limits<float>::min())) : value;
    const float t = no_number ? 0.0F : (s - range_.x) * range_.y;
    if (t < 0.0F && own(0)) return glm::vec3(outside_[0]);
    if (t > 1.0F && own(1)) return glm::vec3(outside_[1]);
    const float place = std::clamp(t, 0.0F, 1.0F);
    return of_place(reversed_ ? 1.0F - place : place);
  }
  glm::vec3 color(float value) const {
    return color(value, [this](float place) { return map_.evaluate(place); });
  }

 private:
  const ColorMap& map_;
  glm::vec3 range_;
  bool reversed_;
  std::array<glm::vec4, 3> outside_;
};

}  // namespace orrery::render
