#include "sim/diagnostics/circular_speed.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace orrery::sim {

namespace {

// Times 1 / G.
double inward_pull(const CenteredState& state, double radius, double angle, double softening_squared) {
  const double c = std::cos(angle), s = std::sin(angle);
  double sum = 0.0;
  for (std::size_t j = 0; j < state.size(); ++j) {
    const auto& x = state.position[j];
    const double dx = radius * c - x.x, dy = radius * s - x.y;
    const double squared = dx * dx + dy * dy + x.z * x.z + softening_squared;
    if (squared > 0.0) sum += state.mass[j] * (dx * c + dy * s) / (squared * std::sqrt(squared));
  }
  return sum;
}

double slope(std::span<const double> x, std::span<const double> y) {
  double mean_x = 0.0, mean_y = 0.0;
  const auto count = static_cast<double>(x.size());
  for (std::size_t k = 0; k < x.size(); ++k) mean_x += x[k] / count, mean_y += y[k] / count;
  double above = 0.0, below = 0.0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    above += (x[k] - mean_x) * (y[k] - mean_y);
    below += (x[k] - mean_x) * (x[k] - mean_x);
  }
  return above / below;
}

}  // namespace

std::vector<double> circular_speeds(const CenteredState& state, std::span<const double> radii,
                                    const Physics& physics) {
  constexpr int points = 8;
  const double softening_squared = physics.softening * physics.softening;
  std::vector<double> speeds;
  for (const double radius : radii) {
    double pull = 0.0;
    for (int k = 0; k < points; ++k)
      pull += inward_pull(state, radius, (2.0 * std::numbers::pi * k) / points, softening_squared) / points;
    speeds.push_back(std::sqrt(std::max(radius * physics.gravitational_constant * pull, 0.0)));
  }
  return speeds;
}

std::vector<double> epicyclic_frequencies(std::span<const double> radii, std::span<const double> speeds) {
  const std::size_t count = radii.size();
  std::vector<double> kappa(count, std::numeric_limits<double>::quiet_NaN());
  if (count < 3) return kappa;
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t first = k < 2 ? 0 : k - 2, last = std::min(k + 3, count);
    const double change = slope(radii.subspan(first, last - first), speeds.subspan(first, last - first));
    const double omega = speeds[k] / radii[k];
    kappa[k] = std::sqrt(std::max(2.0 * omega * (omega + change), 0.0));
  }
  return kappa;
}

}  // namespace orrery::sim
