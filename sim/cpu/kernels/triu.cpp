#include <omp.h>

#include <algorithm>
#include <cmath>

#include "cpu_kernels.h"
#include "sim/cpu/kernels/interaction.h"

namespace orrery::sim {

namespace {

/// A pair of bodies of a galaxy, counted from its first: row < column.
struct Pair {
  std::uint64_t row, column;
};

/// The number of pairs before a row, in the upper triangle of an n x n matrix taken row by row.
std::uint64_t pairs_before(std::uint64_t row, std::uint64_t n) { return row * (2 * n - row - 1) / 2; }

/// The pair with that number, as numpy's triu_indices(n, 1) counts them: the root of the quadratic equation
/// pairs_before(row) = index, mended where it was rounded.
Pair pair_at(std::uint64_t index, std::uint64_t n) {
  const double side = 2.0 * static_cast<double>(n) - 1.0;
  const double root = std::sqrt(std::max(side * side - 8.0 * static_cast<double>(index), 0.0));
  auto row = std::min(static_cast<std::uint64_t>((side - root) / 2.0), n - 2);
  while (pairs_before(row, n) > index) --row;
  while (pairs_before(row + 1, n) <= index) ++row;
  return {row, row + 1 + index - pairs_before(row, n)};
}

/// Adds the pair's force to both of its bodies.
void add_pair(const ForceProblem& problem, std::size_t i, std::size_t j, std::span<Vec3> sum) {
  const Vec3 r = problem.position[j] - problem.position[i];
  const float weight = inverse_cube(dot(r, r) + problem.softening_squared);
  sum[i] += (problem.mass[j] * weight) * r;
  sum[j] -= (problem.mass[i] * weight) * r;
}

/// This thread's share: as many pairs as the others have, give or take one, without a word about rows.
void add_share(const ForceProblem& problem, const GalaxyRange& galaxy, std::span<Vec3> sum) {
  const std::uint64_t n = galaxy.size();
  if (n < 2) return;
  const std::uint64_t pairs = n * (n - 1) / 2;
  const auto threads = static_cast<std::uint64_t>(omp_get_num_threads());
  const auto thread = static_cast<std::uint64_t>(omp_get_thread_num());
  const auto start = [&](std::uint64_t t) { return pairs / threads * t + std::min(t, pairs % threads); };
  for (std::uint64_t k = start(thread); k < start(thread + 1); ++k) {
    if (k % 65536 == 0 && problem.interrupted()) return;
    const auto pair = pair_at(k, n);
    add_pair(problem, galaxy.first + pair.row, galaxy.first + pair.column, sum);
  }
}

bool evaluate(const ForceProblem& problem) {
  return sum_in_buffers(
      problem, [&](const GalaxyRange& galaxy, std::span<Vec3> sums) { add_share(problem, galaxy, sums); });
}

}  // namespace

constexpr CpuKernel triu_kernel{
    .name = "triu",
    .meaning =
        "As pair-symmetric, with one number per pair, shared evenly; each number is converted back into two "
        "bodies (ECE1782, abandoned there).",
    .usual_rate = 0.08,
    .threaded = true,
    .same_bits = false,
    .gravity_only = same_force_for_both,
    .evaluate = evaluate,
};

}  // namespace orrery::sim
