#include "sim/physics/reference_forces.h"

#include <algorithm>
#include <numeric>

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
                                           const Physics& physics, std::span<const std::size_t> index) {
  const ForceLaw& law = *physics.law;
  const auto constants = physics.constants();
  std::vector<DVec3> references;
  references.reserve(index.size());
  if (law.field == nullptr) {
    for (const auto i : index)
      references.push_back(law.acceleration(state, constants, i, galaxy_of(galaxies, i)));
    return references;
  }
  const PointMasses weights(state.position, law.weights(state));
  for (const auto i : index)
    references.push_back(law.field(weights, galaxy_of(galaxies, i), weights.position(i), constants));
  return references;
}

std::vector<DVec3> reference_accelerations(const ForceState& state, std::span<const GalaxyRange> galaxies,
                                           const Physics& physics) {
  std::vector<std::size_t> all(state.position.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return reference_accelerations(state, galaxies, physics, all);
}

}  // namespace orrery::sim
