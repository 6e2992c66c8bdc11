#include "sim/cuda/families/split_sources.h"

#include <algorithm>
#include <cmath>

#include "sim/cuda/options/kernel_configuration.h"
#include "sim/cuda/options/option_helpers.h"

namespace orrery::sim::cuda {

namespace {

std::size_t parts(std::size_t all, std::size_t part) { return (all + part - 1) / part; }

SourceSplit into(const SplitProblem& problem, std::size_t rows) {
  const std::size_t grains = std::max<std::size_t>(1, parts(problem.sources, problem.grain));
  const std::size_t range = parts(grains, std::max<std::size_t>(1, rows)) * problem.grain;
  return {.range = range, .rows = std::max<std::size_t>(1, parts(problem.sources, range))};
}

/// The fraction of the GPU's busy time that is spent on interactions. A few blocks keep a multiprocessor as
/// busy as many do, so the multiprocessor with the most blocks decides; its last ones leave it half idle.
/// Fitted to sweeps of `split` on an H200; docs/kernels.md explains the purpose.
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

std::size_t most_rows_of_sources(int asked, std::size_t sources) {
  if (asked > 0) return static_cast<std::size_t>(asked);
  return std::clamp<std::size_t>((std::size_t{1} << 23) / std::max<std::size_t>(1, sources), 8, 64);
}

SourceSplit split_sources(int asked, const SplitProblem& problem) {
  if (asked > 0) return into(problem, static_cast<std::size_t>(asked));
  SourceSplit best = into(problem, 1);
  double most = efficiency(problem, best);
  for (std::size_t rows = 2; rows <= most_rows_of_sources(asked, problem.sources); ++rows) {
    const auto split = into(problem, rows);
    const double found = efficiency(problem, split);
    if (found > most) best = split, most = found;
  }
  return best;
}

std::size_t partial_sum_bytes(const KernelConfiguration& c, std::size_t sources, std::size_t targets) {
  return 3 * c.real_bytes() * targets * most_rows_of_sources(c.value("split"), sources);
}

Option split_option() {
  return cuda_option("split",
                     "Ranges into which the sources are cut, one row of blocks each; 0: chosen for the "
                     "size of the galaxy and the GPU.")
      .within(0, 64)
      .initially(std::int64_t{0})
      .tuned(10)
      .labelled("Source ranges");
}

int block_that_splits(const KernelConfiguration& c) {
  constexpr int usual = 128;
  return c.block > 0 ? c.block : usual;
}

}  // namespace orrery::sim::cuda
