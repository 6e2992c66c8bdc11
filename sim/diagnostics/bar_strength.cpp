#include "sim/diagnostics/bar_strength.h"

#include <cmath>

namespace orrery::sim {

double bar_strength(const CenteredState& state, double radius) {
  double cosine = 0.0, sine = 0.0, mass = 0.0;
  for (std::size_t i = 0; i < state.size(); ++i) {
    const auto& x = state.position[i];
    const double squared = x.x * x.x + x.y * x.y;
    if (!state.in_profile[i] || squared > radius * radius || squared == 0.0) continue;
    cosine += state.mass[i] * (x.x * x.x - x.y * x.y) / squared;
    sine += state.mass[i] * 2.0 * x.x * x.y / squared;
    mass += state.mass[i];
  }
  return mass > 0.0 ? std::hypot(cosine, sine) / mass : 0.0;
}

}  // namespace orrery::sim
