#include "sim/physics/sources.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace orrery::sim {

namespace {

bool is_tracer(const Bodies& bodies, std::size_t i) {
  return bodies.mass[i] == 0.0F && bodies.charge[i] == 0.0F;
}

}  // namespace

std::vector<GalaxyRange> sources_of(std::span<const GalaxyRange> galaxies, const ForceState& state,
                                    const ForceLaw& law) {
  const auto weights = law.weights(state);
  std::vector<GalaxyRange> sources(galaxies.begin(), galaxies.end());
  if (weights.empty()) return sources;
  for (auto& galaxy : sources)
    while (galaxy.size() > 1 && weights[galaxy.last - 1] == 0.0F) --galaxy.last;
  return sources;
}

TracersLast tracers_last(const Bodies& bodies) {
  std::vector<std::size_t> order(bodies.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto is_source = [&](std::size_t i) { return !is_tracer(bodies, i); };
  std::size_t tracers = 0;
  for (const auto& galaxy : bodies.galaxies()) {
    const auto first = order.begin() + static_cast<std::ptrdiff_t>(galaxy.first);
    const auto last = order.begin() + static_cast<std::ptrdiff_t>(galaxy.last);
    tracers += static_cast<std::size_t>(last - std::stable_partition(first, last, is_source));
  }
  return {std::move(order), tracers};
}

double interactions_of(std::span<const GalaxyRange> galaxies, std::span<const GalaxyRange> sources) {
  double pairs = 0.0;
  for (std::size_t k = 0; k < galaxies.size(); ++k)
    pairs += static_cast<double>(galaxies[k].size()) * static_cast<double>(sources[k].size());
  return pairs;
}

std::size_t put_tracers_last(Bodies& bodies) {
  const auto [order, tracers] = tracers_last(bodies);
  if (tracers == 0 || std::ranges::is_sorted(order)) return tracers;
  // Named once more for clang, which does not capture names of a binding.
  for_each_array(bodies, [&indices = order](auto& values) { reorder(values, indices); });
  return tracers;
}

}  // namespace orrery::sim
