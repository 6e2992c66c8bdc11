#include "sim/physics/force_error.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_set>

#include "sim/core/error.h"
#include "sim/core/random.h"
#include "sim/physics/reference_forces.h"

namespace orrery::sim {

namespace {

double relative_error(const Vec3& computed, const DVec3& reference) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (!is_finite(computed)) return infinity;
  const double size = norm(reference);
  if (size == 0.0) return computed == Vec3{} ? 0.0 : infinity;
  return norm(DVec3(computed) - reference) / size;
}

// The smallest value that at least `fraction` of the sorted values do not exceed.
double quantile(const std::vector<double>& sorted, double fraction) {
  const auto rank = static_cast<std::size_t>(std::ceil(fraction * static_cast<double>(sorted.size())));
  return sorted[std::max<std::size_t>(rank, 1) - 1];
}

}  // namespace

DVec3 reference_acceleration(const ForceSample& sample, std::size_t i) {
  const auto found =
      std::ranges::find_if(sample.galaxies, [i](const GalaxyRange& g) { return i >= g.first && i < g.last; });
  if (found == sample.galaxies.end()) throw Error("cannot check forces: a sampled body belongs to no galaxy");
  return sample.physics.law->acceleration(sample.state(), sample.physics.constants(), i, *found);
}

ForceError force_error(const ForceSample& sample) {
  const auto references =
      reference_accelerations(sample.state(), sample.galaxies, sample.physics, sample.index);
  std::vector<double> errors;
  for (std::size_t k = 0; k < sample.index.size(); ++k)
    errors.push_back(relative_error(sample.acceleration[k], references[k]));
  if (errors.empty()) return {};
  std::ranges::sort(errors);
  return {errors.size(), quantile(errors, 0.5), quantile(errors, 0.99), errors.back()};
}

// Floyd's algorithm (Bentley & Floyd 1987): `count` draws whatever the size.
std::vector<std::size_t> sample_indices(std::size_t size, std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::unordered_set<std::size_t> chosen;
  for (std::size_t last = size - std::min(size, count); last < size; ++last) {
    const std::size_t candidate = random.below(last + 1);
    chosen.insert(chosen.contains(candidate) ? last : candidate);
  }
  std::vector<std::size_t> indices(chosen.begin(), chosen.end());
  std::ranges::sort(indices);
  return indices;
}

}  // namespace orrery::sim
