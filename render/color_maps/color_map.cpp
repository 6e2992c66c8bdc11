#include "render/color_maps/color_map.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include "color_maps.h"
#include "render/color_maps/color_space.h"

namespace orrery::render {

glm::vec3 ColorMap::evaluate(float t) const { return at(t >= 0.0F ? std::min(t, 1.0F) : 0.0F); }
glm::vec3 ColorMap::evaluate_srgb(float t) const { return srgb_encode(evaluate(t)); }

std::span<const ColorMap* const> color_maps() { return registry::color_maps; }

const ColorMap* find_color_map(std::string_view name) {
  for (const ColorMap* map : color_maps())
    if (map->name == name) return map;
  return nullptr;
}

namespace {

float percentile(std::vector<float>& values, double fraction) {
  const double place = std::clamp(fraction, 0.0, 1.0) * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::ptrdiff_t>(place);
  const auto at = values.begin() + below;
  std::nth_element(values.begin(), at, values.end());
  if (std::next(at) == values.end()) return *at;
  const auto next = static_cast<double>(*std::min_element(std::next(at), values.end()));
  const double rest = place - static_cast<double>(below);
  return static_cast<float>(static_cast<double>(*at) * (1.0 - rest) + next * rest);
}

}  // namespace

std::pair<float, float> percentile_range(std::span<const float> values, double low, double high) {
  std::vector<float> finite;
  finite.reserve(values.size());
  std::ranges::copy_if(values, std::back_inserter(finite), [](float value) { return std::isfinite(value); });
  if (finite.empty()) return {0.0F, 1.0F};
  const float from = percentile(finite, low);
  return {from, percentile(finite, high)};
}

}  // namespace orrery::render
