#pragma once

#include <cstddef>

namespace orrery::sim {
struct InstructionSet;
}

namespace orrery::bench {

/// The rate that the CPU allows, and the rate of a kernel of the program.
struct CpuLimit {
  /// GInteractions/s of all threads.
  struct Rates {
    double kernel = 0.0;     ///< the one that was asked for
    double reference = 0.0;  ///< omp-bodies
    double limit = 0.0;
  };

  double clock_ghz = 0.0;
  std::size_t lanes = 0;  ///< lanes of a vector
  // Cycles of one vector instruction.
  double subtraction = 0.0;
  double product = 0.0;
  double fused_product = 0.0;
  double estimate = 0.0;            ///< cost of an estimate of a reciprocal root
  double interaction_vector = 0.0;  ///< all that a vector of interactions takes
  Rates rates;
};

/// Takes seconds. `bodies` of a Plummer sphere on `threads` threads.
CpuLimit measure_cpu_limit(const sim::InstructionSet& set, std::size_t bodies, int threads,
                           const char* kernel);

}  // namespace orrery::bench
