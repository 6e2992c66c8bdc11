#include "cpu_kernels.h"
#include "sim/cpu/kernels/interaction.h"

namespace orrery::sim {

namespace {

bool evaluate(const ForceProblem& problem) {
  // Galaxies may differ in size: hand them out one at a time.
#pragma omp parallel for schedule(dynamic, 1) num_threads(problem.threads)
  for (std::size_t k = 0; k < problem.galaxies.size(); ++k) {
    const auto& galaxy = problem.galaxies[k];
    const auto rows = problem.targets_in(galaxy);
    for (std::size_t i = rows.first; i < rows.last && !problem.interrupted(); ++i) {
      problem.acceleration[i] = acceleration_of(problem, i, problem.sources_in(galaxy));
    }
  }
  return !problem.interrupted();
}

}  // namespace

constexpr CpuKernel omp_galaxies_kernel{
    .name = "omp-galaxies",
    .meaning =
        "One thread per galaxy, scheduled dynamically (ECE415 2025, baseline). Needs at least as many "
        "galaxies as threads.",
    .usual_rate = 0.145,
    .threaded = true,
    .same_bits = true,
    .evaluate = evaluate,
    .takes_targets = true,
};

}  // namespace orrery::sim
