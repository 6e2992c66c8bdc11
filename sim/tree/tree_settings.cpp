#include "sim/tree/tree_settings.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace orrery::sim {

namespace {

/// Factor of the caution with second moments; smaller, because errors with third moments are smaller.
constexpr double octupole_caution = 0.75;
/// Factor of the series' ratio: near cells have smaller errors, so those of the series would show.
constexpr double octupole_series = 0.88;

}  // namespace

OctreeShape shape_of(const TreeSettings& settings) {
  return {.leaf_size = settings.leaf_size, .third_moments = settings.order == CellOrder::octupole};
}

double series_ratio(const TreeSettings& settings) {
  if (!settings.far_series) return 0.0;
  const double part = settings.order == CellOrder::octupole ? octupole_series : 1.0;
  const double ratio =
      settings.relative ? 0.3 * std::pow(settings.alpha / 0.01, 0.15) : 0.05 + 0.31 * settings.theta;
  return std::min(part * ratio, 0.6);
}

int first_left_out(CellOrder order) {
  switch (order) {
    case CellOrder::monopole:
      return 2;  // about the centre of mass there is no first one
    case CellOrder::quadrupole:
      return 3;
    case CellOrder::octupole:
      break;
  }
  return 4;
}

double distance_power(CellOrder order) { return 2.0 / (first_left_out(order) + 2); }

// c2 M b^3 / d^5 < alpha a, where c3 M b^4 / X^3 = alpha a: d^5 > c2 / c3 X^3 / b.
double second_moments_margin(const TreeSettings& settings) {
  if (!settings.relative) return std::numeric_limits<double>::infinity();
  return 1.0 / (octupole_caution * octupole_caution);
}

CellRule cell_rule(const TreeSettings& settings, std::size_t bodies) {
  constexpr double few = 32'768.0, most_doublings = 8.0;
  CellRule rule{.caution = settings.relative ? 1.5 : 1.0,
                .power = distance_power(settings.order),
                .second_margin = second_moments_margin(settings)};
  const double doublings =
      std::min(std::log2(static_cast<double>(std::max<std::size_t>(bodies, 1)) / few), most_doublings);
  if (settings.relative && doublings >= 0.0) {
    rule.caution = 3.7 - 0.4 * std::clamp(doublings - 5.0, 0.0, 2.0);
    rule.inner_part = 0.6 - 0.04 * doublings;
    rule.most_times = 1.7 + 0.26 * doublings;
  }
  if (settings.order == CellOrder::octupole) rule.caution *= octupole_caution;
  return rule;
}

}  // namespace orrery::sim
