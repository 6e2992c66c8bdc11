#include "cpu_kernels.h"
#include "sim/cpu/kernels/interaction.h"

namespace orrery::sim {

namespace {

/// The j loop shared by all threads: a parallel region and a reduction for every single body.
Vec3 shared_row_sum(const ForceProblem& problem, std::size_t i, const GalaxyRange& sources) {
  const Vec3 here = problem.position[i];
  float x = 0.0F;
  float y = 0.0F;
  float z = 0.0F;
#pragma omp parallel for schedule(static) num_threads(problem.threads) reduction(+ : x, y, z)
  for (std::size_t j = sources.first; j < sources.last; ++j) {
    const Vec3 r = problem.position[j] - here;
    const float weight = pull(problem, j, r);
    x += weight * r.x;
    y += weight * r.y;
    z += weight * r.z;
  }
  return {x, y, z};
}

bool evaluate(const ForceProblem& problem) {
  for (const auto& galaxy : problem.galaxies) {
    const auto rows = problem.targets_in(galaxy);
    for (std::size_t i = rows.first; i < rows.last; ++i) {
      if (problem.interrupted()) return false;
      problem.acceleration[i] =
          problem.gravitational_constant * shared_row_sum(problem, i, problem.sources_in(galaxy));
    }
  }
  return true;
}

}  // namespace

constexpr CpuKernel omp_reduction_kernel{
    .name = "omp-reduction",
    .meaning =
        "Reduction over j inside the i loop (ECE415 2022, omp1): one parallel region per body, which costs "
        "more than the loop with few bodies.",
    .usual_rate = 0.15,
    .threaded = true,
    .same_bits = false,
    .gravity_only = "its loop over j is shared by all threads and adds gravity only",
    .evaluate = evaluate,
    .takes_targets = true,
};

}  // namespace orrery::sim
