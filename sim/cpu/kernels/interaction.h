#pragma once

#include <cmath>

#include "sim/cpu/kernel.h"

namespace orrery::sim {

/// Below this squared softened distance a pair exerts no force: it is the body itself or a coincident one
/// with softening 0, and 1/r^3 would overflow single precision.
inline constexpr float smallest_distance_squared = 1e-24F;

/// 1 / (r^2 + eps^2)^(3/2), as the reports write it: one square root, one division. 0 for coincident bodies.
inline float inverse_cube(float distance_squared) {
  const float inverse =
      distance_squared > smallest_distance_squared ? 1.0F / std::sqrt(distance_squared) : 0.0F;
  return inverse * inverse * inverse;
}

/// m_j / (r^2 + eps^2)^(3/2) for the vector r to body j: times r and G its pull.
inline float pull(const ForceProblem& problem, std::size_t j, const Vec3& r) {
  return problem.mass[j] * inverse_cube(dot(r, r) + problem.softening_squared);
}

/// The acceleration of body i by the bodies [first, last), without G: the loop over j of every report. Every
/// kernel that sums a row calls this one function, so that all give the same bits.
inline Vec3 row_sum(const ForceProblem& problem, std::size_t i, std::size_t first, std::size_t last) {
  const Vec3 here = problem.position[i];
  Vec3 sum;
  for (std::size_t j = first; j < last; ++j) {
    const Vec3 r = problem.position[j] - here;
    sum += pull(problem, j, r) * r;
  }
  return sum;
}

/// The whole acceleration of body i by the sources of its galaxy.
inline Vec3 acceleration_of(const ForceProblem& problem, std::size_t i, const GalaxyRange& sources) {
  if (problem.law != nullptr)
    return problem.law->acceleration_single(problem.state, problem.constants, i, sources);
  return problem.gravitational_constant * row_sum(problem, i, sources.first, sources.last);
}

/// Calls compute(i, sources of its galaxy) for all targets: a parallel loop over the bodies of each galaxy.
/// False if interrupted.
template <typename Compute>
bool for_targets(const ForceProblem& problem, int threads, const Compute& compute) {
  for (const auto& galaxy : problem.galaxies) {
    const auto rows = problem.targets_in(galaxy);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (std::size_t i = rows.first; i < rows.last; ++i) {
      if (!problem.interrupted()) compute(i, problem.sources_in(galaxy));
    }
  }
  return !problem.interrupted();
}

/// The accelerations of all targets by that loop.
inline bool accelerate_targets(const ForceProblem& problem) {
  return for_targets(problem, problem.threads, [&](std::size_t i, const GalaxyRange& sources) {
    problem.acceleration[i] = acceleration_of(problem, i, sources);
  });
}

/// Why a kernel that gives both bodies of a pair the same force computes gravity only.
inline constexpr std::string_view same_force_for_both =
    "it computes each pair once and gives both bodies the same force, which the magnetic force between "
    "charges does not have (F_ij differs from -F_ji)";

}  // namespace orrery::sim
