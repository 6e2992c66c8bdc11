#include <omp.h>

#include "cpu_kernels.h"
#include "sim/cpu/kernels/interaction.h"

namespace orrery::sim {

namespace {

/// Adds the pairs (i, j > i) of row i to both ends: Newton's third law saves half of the square roots.
void add_row(const ForceProblem& problem, std::size_t i, std::size_t last, std::span<Vec3> sum) {
  const Vec3 here = problem.position[i];
  const float mass = problem.mass[i];
  Vec3 own;
  for (std::size_t j = i + 1; j < last; ++j) {
    const Vec3 r = problem.position[j] - here;
    const float weight = inverse_cube(dot(r, r) + problem.softening_squared);
    own += (problem.mass[j] * weight) * r;
    sum[j] -= (mass * weight) * r;
  }
  sum[i] += own;
}

/// This thread's share: the lowest row with the highest, the next with the next highest: equal work for all.
void add_rows(const ForceProblem& problem, const GalaxyRange& galaxy, std::span<Vec3> sum) {
  const auto threads = static_cast<std::size_t>(omp_get_num_threads());
  const std::size_t pairs = (galaxy.size() + 1) / 2;
  for (auto p = static_cast<std::size_t>(omp_get_thread_num()); p < pairs; p += threads) {
    if (problem.interrupted()) return;
    const std::size_t low = galaxy.first + p;
    const std::size_t high = galaxy.last - 1 - p;
    add_row(problem, low, galaxy.last, sum);
    if (high != low) add_row(problem, high, galaxy.last, sum);
  }
}

bool evaluate(const ForceProblem& problem) {
  return sum_in_buffers(
      problem, [&](const GalaxyRange& galaxy, std::span<Vec3> sums) { add_rows(problem, galaxy, sums); });
}

}  // namespace

constexpr CpuKernel pair_symmetric_kernel{
    .name = "pair-symmetric",
    .meaning =
        "Each pair once for both bodies (Newton's third law), rows balanced, one buffer per thread, merged "
        "in order (ECE1782, cpu1).",
    .usual_rate = 0.21,
    .threaded = true,
    .same_bits = false,
    .gravity_only = same_force_for_both,
    .evaluate = evaluate,
};

}  // namespace orrery::sim
