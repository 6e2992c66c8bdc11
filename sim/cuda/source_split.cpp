#include "sim/cuda/source_split.h"

#include <algorithm>
#include <cmath>

namespace orrery::sim::cuda {

namespace {

constexpr std::size_t alignment = 256;
constexpr std::size_t head = 8192;  ///< frame and extents, HEAD in kernels/tensor.cu
/// Rows and columns of the products, sums and factor of a body: rows_of ... factors_of in kernels/tensor.cu.
constexpr std::size_t packed_bytes = 100;
constexpr std::size_t total_bytes = 32;  ///< of a body's sums in tensor-pairs
constexpr std::size_t row_targets = 16;
constexpr std::size_t word_sources = 32 * 64;  ///< sources that a word of marks stands for

std::size_t parts(std::size_t all, std::size_t part) { return (all + part - 1) / part; }
std::size_t padded(std::size_t bytes, std::size_t to = alignment) { return parts(bytes, to) * to; }

SourceSplit into(const SplitProblem& problem, std::size_t rows) {
  const std::size_t grains = std::max<std::size_t>(1, parts(problem.sources, problem.grain));
  const std::size_t range = parts(grains, std::max<std::size_t>(1, rows)) * problem.grain;
  return {.range = range, .rows = std::max<std::size_t>(1, parts(problem.sources, range))};
}

/// Of the time that the GPU is busy, how much goes into interactions. A few blocks keep a multiprocessor as
/// busy as many do, so that the one that gets most of them decides; its last ones leave it half idle. Fitted
/// to sweeps on an H200 (docs/performance.md).
double efficiency(const SplitProblem& problem, const SourceSplit& split) {
  const auto sources = static_cast<double>(problem.sources);
  const double blocks = static_cast<double>(problem.columns) * sources /
                        static_cast<double>(split.range * std::max<std::size_t>(1, problem.multiprocessors));
  // The last tile of a range, where it is not a whole one.
  const double tiles = static_cast<double>(split.range) / static_cast<double>(problem.whole);
  const double ragged = split.range % problem.whole == 0 ? 0.0 : 0.07 / std::max(tiles, 1.0);
  const double cost = (1e-4 + problem.row_cost / sources) * static_cast<double>(split.rows);
  return (1.0 - ragged) * blocks / (std::max(std::ceil(blocks), problem.saturating) + 0.1) * (1.0 - cost);
}

}  // namespace

std::size_t most_rows_of_sources(const KernelConfiguration& c, std::size_t sources) {
  if (c.split > 0) return static_cast<std::size_t>(c.split);
  return std::clamp<std::size_t>((std::size_t{1} << 23) / std::max<std::size_t>(1, sources), 8, 64);
}

SourceSplit split_sources(const KernelConfiguration& c, const SplitProblem& problem) {
  if (c.split > 0) return into(problem, static_cast<std::size_t>(c.split));
  SourceSplit best = into(problem, 1);
  double most = efficiency(problem, best);
  for (std::size_t rows = 2; rows <= most_rows_of_sources(c, problem.sources); ++rows) {
    const auto split = into(problem, rows);
    const double found = efficiency(problem, split);
    if (found > most) best = split, most = found;
  }
  return best;
}

TensorScratch tensor_scratch(const KernelConfiguration& c, std::size_t sources, std::size_t targets) {
  TensorScratch result;
  // The last block's warps may mark rows past the end. A block that is refused for its size still gets here.
  const auto warps = parts(static_cast<std::size_t>(threads_that_split(c)), 32);
  const std::size_t covered = warps * static_cast<std::size_t>(row_tiles_of_warp(c)) * row_targets;
  const std::size_t rows = padded(sums_pairs(c) ? sources : targets, covered) / row_targets;
  result.mark_words = rows * parts(sources, word_sources);
  result.marks = padded(head + packed_bytes * padded(sources, tensor_stage));
  result.partials = padded(result.marks + 4 * result.mark_words);
  return result;
}

std::size_t split_scratch_bytes(const KernelConfiguration& c, std::size_t sources, std::size_t targets) {
  if (!splits_sources(c)) return 0;
  const std::size_t real = static_cast<std::size_t>(c.precision) / 8;
  const std::size_t partials = 3 * real * targets * most_rows_of_sources(c, sources);
  if (sums_pairs(c))
    return tensor_scratch(c, sources, targets).partials + total_bytes * padded(sources, tensor_stage);
  if (uses_tensor_cores(c)) return tensor_scratch(c, sources, targets).partials + partials;
  return c.atomic_sum ? 0 : partials;
}

}  // namespace orrery::sim::cuda
