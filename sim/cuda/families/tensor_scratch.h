#pragma once

#include <cstddef>

namespace orrery::sim::cuda {

/// Layout of the scratch memory of families on tensor cores: byte offsets.
struct TensorScratch {
  std::size_t marks = 0;       ///< a bit for 16 targets and 64 sources: a close pair is among them
  std::size_t mark_words = 0;  ///< words of 32 bits
  std::size_t partials = 0;    ///< partial sums, up to the end
};
/// `covered`: targets of a block.
TensorScratch tensor_scratch(std::size_t sources, std::size_t targets, std::size_t covered);

}  // namespace orrery::sim::cuda
