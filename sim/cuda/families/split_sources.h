#pragma once

#include <cstddef>

#include "sim/options/option.h"

// For families that cut the sources of a galaxy into ranges, a row of blocks each.
namespace orrery::sim::cuda {

struct KernelConfiguration;

/// Division of a galaxy's sources into ranges, one for each row of blocks.
struct SourceSplit {
  std::size_t range = 0;  ///< sources of a row: the last one may have fewer
  std::size_t rows = 1;
};

/// The parameters of a split.
struct SplitProblem {
  std::size_t sources = 0;
  std::size_t columns = 1;  ///< blocks that all targets of the galaxy need
  std::size_t multiprocessors = 1;
  std::size_t grain = 1;    ///< a range is a multiple of this many sources
  std::size_t whole = 1;    ///< a multiple of this many is faster
  double saturating = 1.0;  ///< blocks that keep a multiprocessor busy: fewer take as long as these
  /// Cost of a row (its start and its partial sums), in units of the work of one target.
  double row_cost = 10.0;
};

/// The split that leaves the fewest multiprocessors idle at the end, weighed against what more rows cost; or
/// into `asked` ranges (0: chosen), as far as the grain allows. It depends on the whole galaxy, not on the
/// slice of targets, so that slices add the same partial sums.
SourceSplit split_sources(int asked, const SplitProblem& problem);

/// The most rows that split_sources chooses for that many sources: bounds the scratch memory.
std::size_t most_rows_of_sources(int asked, std::size_t sources);

/// Bytes of partial sums of that many targets: three reals for each row.
std::size_t partial_sum_bytes(const KernelConfiguration& kernel, std::size_t sources, std::size_t targets);

/// The option `split` of families that split sources, the argument `asked` of split_sources.
Option split_option();
/// Threads per block of families that split sources, which their code has to know: 128 where the option says
/// 0.
int block_that_splits(const KernelConfiguration& kernel);

}  // namespace orrery::sim::cuda
