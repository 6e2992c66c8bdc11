#include "sim/physics/diagnostics/motion_error.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace orrery::sim {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// Two roundings of a position in single precision, by no more than half a unit of the last place each.
double rounding_of(const Vec3& position) { return 0x1.0p-23 * norm(DVec3(position)); }

double error_of_body(const StepPair& pair, std::size_t i, double share_after) {
  const DVec3 moved = DVec3(pair.position_after[i]) - DVec3(pair.position_before[i]);
  const DVec3 right = pair.time_step * ((1.0 - share_after) * DVec3(pair.velocity_before[i]) +
                                        share_after * DVec3(pair.velocity_after[i]));
  const double off = std::max(norm(moved - right) - rounding_of(pair.position_after[i]), 0.0);
  if (!std::isfinite(norm(moved - right))) return infinite;
  const double size = norm(right);
  if (size == 0.0) return off == 0.0 ? 0.0 : infinite;
  return off / size;
}

double median_error(const StepPair& pair, double share_after) {
  std::vector<double> errors;
  errors.reserve(pair.position_before.size());
  for (std::size_t i = 0; i < pair.position_before.size(); ++i)
    errors.push_back(error_of_body(pair, i, share_after));
  const auto middle = errors.begin() + static_cast<std::ptrdiff_t>(errors.size() / 2);
  std::ranges::nth_element(errors, middle);
  return *middle;
}

}  // namespace

double motion_error(const StepPair& pair) {
  if (pair.empty()) return 0.0;
  double best = infinite;
  for (const double share_after : std::array{0.0, 0.5, 1.0})
    best = std::min(best, median_error(pair, share_after));
  return best;
}

}  // namespace orrery::sim
