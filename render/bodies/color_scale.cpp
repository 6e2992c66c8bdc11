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

glm::vec3 ColorScale::color(float value) const {
  const auto own = [&](std::size_t k) { return outside_.at(k).a > 0.5F; };
  const bool no_number = std::isnan(value);
  if (no_number && own(2)) return glm::vec3(outside_[2]);
  const float s = range_.z > 0.5F ? std::log(std::max(value, std::numeric_limits<float>::min())) : value;
  const float t = no_number ? 0.0F : (s - range_.x) * range_.y;
  if (t < 0.0F && own(0)) return glm::vec3(outside_[0]);
  if (t > 1.0F && own(1)) return glm::vec3(outside_[1]);
  const float place = std::clamp(t, 0.0F, 1.0F);
  return map_.evaluate(reversed_ ? 1.0F - place : place);
}

}  // namespace orrery::render
