#include "sim/diagnostics/bound_fraction.h"

#include <algorithm>
#include <cmath>

namespace orrery::sim {

namespace {

double potential_at(const CenteredState& state, std::size_t i, const Physics& physics) {
  const double softening_squared = physics.softening * physics.softening;
  double sum = 0.0;
  for (std::size_t j = 0; j < state.size(); ++j) {
    const DVec3 apart = state.position[j] - state.position[i];
    const double squared = dot(apart, apart) + softening_squared;
    if (j != i && squared > 0.0) sum += state.mass[j] / std::sqrt(squared);
  }
  return -physics.gravitational_constant * sum;
}

}  // namespace

double bound_fraction(const CenteredState& state, const Physics& physics, std::size_t most) {
  const std::size_t stride =
      std::max<std::size_t>((state.size() + most - 1) / std::max<std::size_t>(most, 1), 1);
  double bound = 0.0, all = 0.0;
  for (std::size_t i = 0; i < state.size(); i += stride) {
    const auto& v = state.velocity[i];
    all += state.mass[i];
    if (0.5 * dot(v, v) + potential_at(state, i, physics) < 0.0) bound += state.mass[i];
  }
  return all > 0.0 ? bound / all : 0.0;
}

}  // namespace orrery::sim
