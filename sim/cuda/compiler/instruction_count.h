#pragma once

#include <string_view>

namespace orrery::sim::cuda {

/// Instructions that a thread issues in one pass of the loop that computes the interactions, on the path that
/// does the most work with the fewest instructions: calls for rare numbers are left out. For a kernel without
/// such a loop, instructions of the whole kernel.
struct InstructionCount {
  int interactions = 0;  ///< interactions per pass; 0: not recognized, and the other numbers mean nothing
  int issued = 0;        ///< all, predicated ones too: they take a slot
  int fp32 = 0;          ///< additions, multiplications and fused ones of single precision
  int fp64 = 0;          ///< double-precision additions, multiplications, fused ones, comparisons
  int special = 0;       ///< MUFU: reciprocal square roots and other functions
  int matrix = 0;        ///< HMMA: products on tensor cores
  int shared_loads = 0;
  int global_loads = 0;

  /// A number of instructions for each interaction; 0 where they are not known.
  double each(int instructions) const {
    return interactions > 0 ? static_cast<double>(instructions) / interactions : 0.0;
  }
};

/// Reads the machine code of `kernel` in a compiled module. An interaction is recognized by its reciprocal
/// square root, computed or guessed (Instruction::root); on tensor cores their number must be that of the
/// distances of the products, and tells whether a weight serves one body or both. Of several loops those that
/// count to a constant (whole tiles) go before others, then those with more interactions, then those with
/// fewer instructions.
InstructionCount count_instructions(std::string_view cubin, std::string_view kernel);

}  // namespace orrery::sim::cuda
