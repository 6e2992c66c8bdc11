#include "render/bodies/color_scale.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "render/bodies/body_style.h"
#include "render/color_modes/color_mode.h"
#include "render/error.h"

namespace orrery::render {
namespace {

const ColorMap& map_of(const BodyStyle& style, const ColorMode& mode) {
  if (style.color_map.empty()) {
    const ColorMap* own = find_color_map(mode.default_map);
    return own == nullptr ? *color_maps().front() : *own;
  }
  const ColorMap* map = find_color_map(style.color_map);
  if (map == nullptr)
    throw Error(fmt::format("there is no colour map \"{}\": choose one of the list", style.color_map));
  return *map;
}

glm::vec3 color_range(const BodyStyle& style, const ColorMode& mode) {
  constexpr float steepest = 1e30F;
  if (mode.fixed_range) return {0.0F, 1.0F, 0.0F};
  const auto place = [&](float value) {
    return style.log_range ? std::log(std::max(value, std::numeric_limits<float>::min())) : value;
  };
  const float first = place(style.range_min);
  const float span = place(style.range_max) - first;
  const float slope = span == 0.0F ? steepest : std::clamp(1.0F / span, -steepest, steepest);
  return {std::isfinite(first) ? first : 0.0F, std::isfinite(slope) ? slope : 0.0F,
          style.log_range ? 1.0F : 0.0F};
}

}  // namespace

ColorScale::ColorScale(const BodyStyle& style, const ColorMode& mode)
    : map_(map_of(style, mode)),
      range_(color_range(style, mode)),
      reversed_(style.reversed),
      outside_(style.outside) {}

}  // namespace orrery::render
