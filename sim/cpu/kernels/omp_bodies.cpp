#include "cpu_kernels.h"
#include "sim/cpu/kernels/interaction.h"

namespace orrery::sim {

namespace {

void evaluate_galaxy(const ForceProblem& problem, const GalaxyRange& galaxy) {
  const auto rows = problem.targets_in(galaxy);
#pragma omp parallel for schedule(static) num_threads(problem.threads)
  for (std::size_t i = rows.first; i < rows.last; ++i) {
    if (!problem.interrupted())
      problem.acceleration[i] = acceleration_of(problem, i, problem.sources_in(galaxy));
  }
}

bool evaluate(const ForceProblem& problem) {
  for (const auto& galaxy : problem.galaxies) evaluate_galaxy(problem, galaxy);
  return !problem.interrupted();
}

}  // namespace

constexpr CpuKernel omp_bodies_kernel{
    .name = "omp-bodies",
    .meaning = "Parallel loop over the bodies (ECE415 2022, omp2; ECE1782, cpu0).",
    .usual_rate = 0.155,
    .threaded = true,
    .same_bits = true,
    .gravity_only = {},
    .evaluate = evaluate,
    .step = nullptr,
    .takes_targets = true,
};

}  // namespace orrery::sim
