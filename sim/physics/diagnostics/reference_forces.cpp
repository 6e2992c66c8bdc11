#include "sim/physics/diagnostics/reference_forces.h"

#include <algorithm>
#include <numeric>

#include "sim/core/error.h"
#include "sim/physics/laws/pair_sum.h"

namespace orrery::sim {

namespace {

GalaxyRange galaxy_of(std::span<const GalaxyRange> galaxies, std::size_t i) {
  const auto found = std::ranges::upper_bound(galaxies, i, {}, &GalaxyRange::last);
  if (found == galaxies.end() || i < found->first)
    throw Error("cannot check forces: a sampled body belongs to no galaxy");
  return *found;
}

/// Sources of a partial sum. The number is fixed, so that sums do not depend on the number of threads.
constexpr std::size_t sources_per_part = 65'536;
/// Sources that are converted to double precision at a time: 4 arrays of 1024 doubles fit a first-level
/// cache.
constexpr std::size_t sources_per_pass = 1024;
/// Bodies that share a conversion.
constexpr std::size_t targets_per_part = 64;

/// The sums over some sources at some of the bodies, `first` to `last` of the index.
struct PartialSums {
  GalaxyRange sources;
  std::size_t first = 0, last = 0;
  std::vector<DVec3> sums = {};
};

/// All sums of a list of bodies. Those of one body come in the order of their sources.
std::vector<PartialSums> parts_of(std::span<const GalaxyRange> galaxies, std::span<const std::size_t> index) {
  std::vector<PartialSums> parts;
  for (std::size_t first = 0, last = 0; first < index.size(); first = last) {
    const auto galaxy = galaxy_of(galaxies, index[first]);
    const auto end = std::min(index.size(), first + targets_per_part);
    for (last = first + 1; last < end && galaxy_of(galaxies, index[last]) == galaxy;) ++last;
    for (auto source = galaxy.first; source < galaxy.last; source += sources_per_part)
      parts.push_back({{source, std::min(source + sources_per_part, galaxy.last)}, first, last});
  }
  return parts;
}

void sum(PartialSums& part, const ForceState& state, const Physics& physics,
         std::span<const std::size_t> index) {
  const auto constants = physics.constants();
  const auto weights = physics.law->weights(state);
  part.sums.resize(part.last - part.first);
  for (auto first = part.sources.first; first < part.sources.last; first += sources_per_pass) {
    const auto count = std::min(sources_per_pass, part.sources.last - first);
    const PointMasses sources(state.position.subspan(first, count), weights.subspan(first, count));
    for (std::size_t k = 0; k < part.sums.size(); ++k) {
      const DVec3 x(state.position[index[part.first + k]]);
      part.sums[k] += physics.law->field(sources, {0, count}, x, constants);
    }
  }
}

/// By the law's loop that vectorizes. Only some sources at a time are in double precision: all of them would
/// take more memory than the bodies.
std::vector<DVec3> sums_of_field(const ForceState& state, std::span<const GalaxyRange> galaxies,
                                 const Physics& physics, std::span<const std::size_t> index, int threads) {
  auto parts = parts_of(galaxies, index);
#pragma omp parallel for schedule(dynamic) num_threads(threads) if (threads > 1)
  for (std::size_t k = 0; k < parts.size(); ++k) sum(parts[k], state, physics, index);
  std::vector<DVec3> sums(index.size());
  for (const auto& part : parts)
    for (std::size_t k = 0; k < part.sums.size(); ++k) sums[part.first + k] += part.sums[k];
  return sums;
}

}  // namespace

std::vector<DVec3> reference_accelerations(const ForceState& state, std::span<const GalaxyRange> galaxies,
                                           const Physics& physics, std::span<const std::size_t> index,
                                           int threads) {
  const ForceLaw& law = *physics.law;
  if (law.field != nullptr) return sums_of_field(state, galaxies, physics, index, threads);
  const auto constants = physics.constants();
  std::vector<GalaxyRange> sources;
  for (const auto i : index) sources.push_back(galaxy_of(galaxies, i));
  std::vector<DVec3> references(index.size());
#pragma omp parallel for schedule(dynamic) num_threads(threads) if (threads > 1)
  for (std::size_t k = 0; k < index.size(); ++k)
    references[k] = law.acceleration(state, constants, index[k], sources[k]);
  return references;
}

std::vector<DVec3> reference_accelerations(const ForceState& state, std::span<const GalaxyRange> galaxies,
                                           const Physics& physics) {
  std::vector<std::size_t> all(state.position.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return reference_accelerations(state, galaxies, physics, all);
}

}  // namespace orrery::sim
