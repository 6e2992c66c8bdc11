#include "sim/diagnostics/lagrange_radii.h"

#include <algorithm>
#include <utility>

namespace orrery::sim {

std::vector<double> lagrange_radii(const CenteredState& state, std::span<const double> fractions,
                                   bool profile_only) {
  std::vector<std::pair<double, double>> shells;  // radius, mass within
  for (std::size_t i = 0; i < state.size(); ++i)
    if (!profile_only || state.in_profile[i]) shells.emplace_back(norm(state.position[i]), state.mass[i]);
  std::vector<double> radii(fractions.size(), 0.0);
  if (shells.empty()) return radii;
  std::ranges::sort(shells);
  double inside = 0.0;
  for (auto& shell : shells) shell.second = inside += shell.second;
  for (std::size_t k = 0; k < fractions.size(); ++k) {
    const auto at =
        std::ranges::lower_bound(shells, fractions[k] * inside, {}, &std::pair<double, double>::second);
    radii[k] = at == shells.end() ? shells.back().first : at->first;
  }
  return radii;
}

}  // namespace orrery::sim
