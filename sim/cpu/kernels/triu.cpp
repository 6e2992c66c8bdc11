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

/// Buffers are merged in the order of the threads, so that a given thread count gives the same bits.
Vec3 merged(const ForceProblem& problem, std::size_t i, std::size_t buffers) {
  const std::size_t count = problem.position.size();
  Vec3 sum;
  for (std::size_t t = 0; t < buffers; ++t) sum += (*problem.scratch)[t * count + i];
  return problem.gravitational_constant * sum;
}

bool evaluate(const ForceProblem& problem) {
  const std::size_t count = problem.position.size();
  problem.scratch->resize(count * static_cast<std::size_t>(problem.threads));
#pragma omp parallel num_threads(problem.threads)
  {
    const auto sum =
        std::span(*problem.scratch).subspan(static_cast<std::size_t>(omp_get_thread_num()) * count, count);
    std::ranges::fill(sum, Vec3{});
    for (const auto& galaxy : problem.galaxies) add_share(problem, galaxy, sum);
#pragma omp barrier
    const auto buffers = static_cast<std::size_t>(omp_get_num_threads());
#pragma omp for schedule(static)
    for (std::size_t i = 0; i < count; ++i) problem.acceleration[i] = merged(problem, i, buffers);
  }
  return !problem.interrupted();
}

}  // namespace

constexpr CpuKernel triu_kernel{
    .name = "triu",
    .meaning =
        "Each pair once: pairs are numbered and shared evenly, and each number is turned back into a pair "
        "(ECE1782, given up there).",
    .usual_rate = 0.08,
    .threaded = true,
    .same_bits = false,
    .gravity_only =
        "it computes each pair once and gives both bodies the same force, which the magnetic force between "
        "charges does not have (F_ij differs from -F_ji)",
    .evaluate = evaluate,
    .step = nullptr,
};

}  // namespace orrery::sim
