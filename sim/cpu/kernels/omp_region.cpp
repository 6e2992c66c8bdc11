#include <omp.h>

#include "sim/cpu/kernels/interaction.h"
#include "sim/cpu/kernels/kernels.h"

namespace orrery::sim {

namespace {

/// The worksharing loops below are called from inside a parallel region.
void share_forces(const ForceProblem& problem) {
  for (const auto& galaxy : problem.galaxies) {
#pragma omp for schedule(static) nowait
    for (std::size_t i = galaxy.first; i < galaxy.last; ++i) {
      if (!problem.interrupted()) problem.acceleration[i] = acceleration_of(problem, i, galaxy);
    }
  }
#pragma omp barrier
}

void share_update(Integrator::Update update, const Motion& motion, float dt) {
  const auto count = motion.position.size();
  const auto threads = static_cast<std::size_t>(omp_get_num_threads());
  const auto thread = static_cast<std::size_t>(omp_get_thread_num());
  update(motion.range(count * thread / threads, count * (thread + 1) / threads), dt);
#pragma omp barrier
}

bool evaluate(const ForceProblem& problem) {
#pragma omp parallel num_threads(problem.threads)
  share_forces(problem);
  return !problem.interrupted();
}

bool step(StepProblem& problem) {
  bool complete = false;
  const double begin = omp_get_wtime();
  double start = begin;
  // Set inside the region, which the analyzer does not follow.
  double updated = start;    // NOLINT(clang-analyzer-deadcode.DeadStores)
  double evaluated = start;  // NOLINT(clang-analyzer-deadcode.DeadStores)
#pragma omp parallel num_threads(problem.force.threads)
  {
    share_update(problem.integrator->before_force, problem.motion, problem.dt);
#pragma omp master
    updated = omp_get_wtime();
    share_forces(problem.force);
    // One thread decides for all whether the forces are whole.
#pragma omp single
    {
      evaluated = omp_get_wtime();
      complete = !problem.force.interrupted();
      if (complete && problem.after_forces) problem.after_forces();
      start += omp_get_wtime() - evaluated;
    }
    if (complete) share_update(problem.integrator->after_force, problem.motion, problem.dt);
  }
  const double end = omp_get_wtime();
  problem.before_ms = (updated - begin) * 1e3;
  problem.force_ms = (evaluated - updated) * 1e3;
  problem.update_ms = (end - start) * 1e3 - problem.force_ms;
  return complete;
}

}  // namespace

constexpr CpuKernel omp_region_kernel{
    .name = "omp-region",
    .meaning = "One parallel region for forces and updates (ECE415 2022, omp3).",
    .threaded = true,
    .same_bits = true,
    .gravity_only = {},
    .evaluate = evaluate,
    .step = step,
};

}  // namespace orrery::sim
