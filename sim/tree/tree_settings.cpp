#include "sim/tree/tree_settings.h"

#include <algorithm>
#include <cmath>

namespace orrery::sim {

double series_ratio(const TreeSettings& settings) {
  if (!settings.far_series) return 0.0;
  const double ratio =
      settings.relative ? 0.345 * std::pow(settings.alpha / 0.01, 0.15) : 0.05 + 0.31 * settings.theta;
  return std::min(ratio, 0.6);
}

double least_distance(const TreeSettings& settings) {
  return settings.relative && settings.quadrupoles ? 0.7 : 1.0;
}

CellRule cell_rule(const TreeSettings& settings, std::size_t bodies) {
  constexpr std::size_t few = 32'768;
  if (!settings.relative || bodies < few) return {};
  return {.caution = 1.8, .inner_part = 0.6, .most_times = 1.7};
}

}  // namespace orrery::sim
