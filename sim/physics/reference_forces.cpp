#include "sim/physics/reference_forces.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "sim/core/error.h"
#include "sim/physics/pair_sum.h"

namespace orrery::sim {

namespace {

GalaxyRange galaxy_of(std::span<const GalaxyRange> galaxies, std::size_t i) {
  const auto found = std::ranges::upper_bound(galaxies, i, {}, &GalaxyRange::last);
  if (found == galaxies.end() || i < found->first)
    throw Error("cannot check forces: a sampled body belongs to no galaxy");
  return *found;
}

}  // namespace

std::vector<DVec3> reference_accelerations(const ForceState& state, std::span<const GalaxyRange> galaxies,
                                           const Physics& physics, std::span<const std::size_t> index,
                                           int threads) {
  const ForceLaw& law = *physics.law;
  const auto constants = physics.constants();
  std::vector<GalaxyRange> sources;
  for (const auto i : index) sources.push_back(galaxy_of(galaxies, i));
  std::optional<PointMasses> weights;
  if (law.field != nullptr) weights.emplace(state.position, law.weights(state));
  std::vector<DVec3> references(index.size());
#pragma omp parallel for schedule(dynamic) num_threads(threads) if (threads > 1)
  for (std::size_t k = 0; k < index.size(); ++k) {
    const auto i = index[k];
    references[k] = weights ? law.field(*weights, sources[k], weights->position(i), constants)
                            : law.acceleration(state, constants, i, sources[k]);
  }
  return references;
}

std::vector<DVec3> reference_accelerations(const ForceState& state, std::span<const GalaxyRange> galaxies,
                                           const Physics& physics) {
  std::vector<std::size_t> all(state.position.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return reference_accelerations(state, galaxies, physics, all);
}

}  // namespace orrery::sim
