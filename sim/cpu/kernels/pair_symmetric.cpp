#include <omp.h>

#include <algorithm>
#include <cmath>

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

/// Calls add(galaxy, sums) on every thread, each with sums of its own for all bodies, and merges these in the
/// order of the threads, so that a given thread count gives the same bits. False if interrupted.
template <typename Add>
bool sum_in_buffers(const ForceProblem& problem, const Add& add) {
  const std::size_t count = problem.position.size();
  auto& all = *problem.scratch;
  all.resize(count * static_cast<std::size_t>(problem.threads));
#pragma omp parallel num_threads(problem.threads)
  {
    const auto thread = static_cast<std::size_t>(omp_get_thread_num());
    const auto sums = std::span(all).subspan(thread * count, count);
    std::ranges::fill(sums, Vec3{});
    for (const auto& galaxy : problem.galaxies) add(galaxy, sums);
#pragma omp barrier
    const auto buffers = static_cast<std::size_t>(omp_get_num_threads());
#pragma omp for schedule(static)
    for (std::size_t i = 0; i < count; ++i) {
      Vec3 sum;
      for (std::size_t t = 0; t < buffers; ++t) sum += all[t * count + i];
      problem.acceleration[i] = problem.gravitational_constant * sum;
    }
  }
  return !problem.interrupted();
}

bool evaluate(const ForceProblem& problem) {
  return sum_in_buffers(
      problem, [&](const GalaxyRange& galaxy, std::span<Vec3> sums) { add_rows(problem, galaxy, sums); });
}

bool evaluate_triu(const ForceProblem& problem) {
  return sum_in_buffers(
      problem, [&](const GalaxyRange& galaxy, std::span<Vec3> sums) { add_share(problem, galaxy, sums); });
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

constexpr CpuKernel triu_kernel{
    .name = "triu",
    .meaning =
        "As pair-symmetric, with one number per pair, shared evenly; each number is converted back into two "
        "bodies (ECE1782, abandoned there).",
    .usual_rate = 0.08,
    .threaded = true,
    .same_bits = false,
    .gravity_only = same_force_for_both,
    .evaluate = evaluate_triu,
};

}  // namespace orrery::sim
