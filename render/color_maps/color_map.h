#pragma once

#include <glm/glm.hpp>
#include <span>
#include <string_view>
#include <utility>

namespace orrery::render {

/// A colour map: a formula from t in 0..1 to a colour. One file per map in color_maps/, one line in
/// its CMakeLists.txt; no tables.
struct ColorMap {
  enum class Kind {
    /// Lightness rises with t: for quantities with a low and a high end.
    sequential,
    /// Two hues away from a light middle at t = 0.5: for signed quantities.
    diverging,
    /// Ends where it begins: for angles and for numbering.
    cyclic,
    /// Colours of nature; lightness need not be monotonic.
    physical,
  };
  std::string_view name;
  /// One line for the panel: what it is and where the formula comes from.
  std::string_view meaning;
  Kind kind;
  /// Linear-light RGB with the sRGB primaries, each in 0..1. t is clamped to 0..1 by evaluate(), not here.
  glm::vec3 (*at)(float t);

  /// The colour of t (clamped; NaN counts as 0): linear-light RGB in 0..1.
  glm::vec3 evaluate(float t) const;
  /// The colour of t encoded for an 8-bit sRGB display (for colour bars drawn by the panel), each in 0..1.
  glm::vec3 evaluate_srgb(float t) const;
};

/// Every colour map; the first is the default.
std::span<const ColorMap* const> color_maps();
/// nullptr for an unknown name.
const ColorMap* find_color_map(std::string_view name);

/// The values below which the fractions `low` and `high` (0..1) of the finite values lie: the automatic range
/// of a colour bar, which a few extreme bodies must not decide. Linear interpolation between order
/// statistics. Without finite values: (0, 1).
std::pair<float, float> percentile_range(std::span<const float> values, double low = 0.02,
                                         double high = 0.98);

}  // namespace orrery::render
