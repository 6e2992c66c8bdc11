#pragma once

#include <cstddef>

#include "sim/cuda/kernel_configuration.h"

namespace orrery::sim::cuda {

/// How the sources of a galaxy are cut into ranges, one for each row of blocks.
struct SourceSplit {
  std::size_t range = 0;  ///< sources of a row: the last one may have fewer
  std::size_t rows = 1;
};

/// What a split depends on.
struct SplitProblem {
  std::size_t sources = 0;
  std::size_t columns = 1;  ///< blocks that all targets of the galaxy need
  std::size_t multiprocessors = 1;
  std::size_t grain = 1;    ///< a range is a multiple of this many sources
  std::size_t whole = 1;    ///< a multiple of this many is faster
  double saturating = 1.0;  ///< blocks that keep a multiprocessor busy: fewer take as long as these
  double row_cost = 10.0;   ///< of a row, as a share of the work of one target: a start and its partial sums
};

/// The split that leaves the fewest multiprocessors idle at the end, weighed against what more rows cost; or
/// into `configuration.split` ranges, as far as the grain allows. It depends on the whole galaxy, not on the
/// slice of targets, so that slices add the same partial sums.
SourceSplit split_sources(const KernelConfiguration& configuration, const SplitProblem& problem);

/// The most rows that split_sources chooses for so many sources: bounds the scratch memory.
std::size_t most_rows_of_sources(const KernelConfiguration& configuration, std::size_t sources);

/// Bytes of scratch memory for the targets of a slice: partial sums, and what the tensor families pack. 0 for
/// other families.
std::size_t split_scratch_bytes(const KernelConfiguration& configuration, std::size_t sources,
                                std::size_t targets);

/// How the scratch memory of the tensor families is laid out, in bytes from its begin.
struct TensorScratch {
  std::size_t marks = 0;       ///< a bit for 16 targets and 64 sources: a close pair is among them
  std::size_t mark_words = 0;  ///< words of 32 bits
  std::size_t partials = 0;  ///< three floats a target and row of sources; tensor-pairs: four whole numbers a
                             ///< body of the galaxy, of 64 bits
};
TensorScratch tensor_scratch(const KernelConfiguration& configuration, std::size_t sources,
                             std::size_t targets);

/// Sources that the tensor families stage at a time: the grain of their ranges.
inline constexpr std::size_t tensor_stage = 256;

}  // namespace orrery::sim::cuda
