#include "cpu_kernels.h"
#include "sim/cpu/kernels/interaction.h"

namespace orrery::sim {

namespace {

bool evaluate(const ForceProblem& problem) {
  for (const auto& galaxy : problem.galaxies) {
    const auto rows = problem.targets_in(galaxy);
    for (std::size_t i = rows.first; i < rows.last; ++i) {
      if (problem.interrupted()) return false;
      problem.acceleration[i] = acceleration_of(problem, i, problem.sources_in(galaxy));
    }
  }
  return true;
}

}  // namespace

constexpr CpuKernel sequential_kernel{
    .name = "sequential",
    .meaning = "Double loop on one thread: the baseline of all reports.",
    .usual_rate = 0.14,
    .threaded = false,
    .same_bits = true,
    .evaluate = evaluate,
    .takes_targets = true,
};

}  // namespace orrery::sim
