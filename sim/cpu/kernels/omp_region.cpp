#include <omp.h>

#include <exception>

#include "cpu_kernels.h"
#include "sim/cpu/kernels/interaction.h"

namespace orrery::sim {

namespace {

/// The worksharing loops below are called from inside a parallel region.
void share_forces(const ForceProblem& problem) {
  for (const auto& galaxy : problem.galaxies) {
#pragma omp for schedule(static) nowait
    for (std::size_t i = galaxy.first; i < galaxy.last; ++i) {
      if (!problem.interrupted())
        problem.acceleration[i] = acceleration_of(problem, i, problem.sources_in(galaxy));
    }
  }
#pragma omp barrier
}

void share_update(const MotionUpdate& update, const Motion& motion, double dt) {
  const auto count = motion.position.size();
  const auto threads = static_cast<std::size_t>(omp_get_num_threads());
  const auto thread = static_cast<std::size_t>(omp_get_thread_num());
  update.apply(motion.range(count * thread / threads, count * (thread + 1) / threads), dt);
#pragma omp barrier
}

bool evaluate(const ForceProblem& problem) {
#pragma omp parallel num_threads(problem.threads)
  share_forces(problem);
  return !problem.interrupted();
}

/// Calls; returns what was thrown, which must not leave a parallel region.
template <typename Call>
std::exception_ptr caught(const Call& call) noexcept {
  try {
    call();
  } catch (...) {
    return std::current_exception();
  }
  return nullptr;
}

bool step(StepProblem& problem) {
  const Integrator& integrator = *problem.integrator;
  const std::size_t evaluations = integrator.evaluations();
  bool complete = true;
  std::exception_ptr failure;
  // Notes allocate nothing in the region.
  problem.parts.reserve(2 * evaluations + 1);
  auto start = StepPart::Clock::now();
#pragma omp parallel num_threads(problem.force.threads)
  {
    share_update(integrator.first_update(), problem.motion, problem.dt);
    for (std::size_t k = 1; k <= evaluations && complete; ++k) {
      if (omp_get_thread_num() == 0) {
        problem.note(TimelineKind::update, start);
        start = problem.parts.back().end;
      }
      share_forces(problem.force);
      // One thread decides for all whether the forces are whole.
#pragma omp single
      {
        problem.note(TimelineKind::forces, start);
        complete = !problem.force.interrupted();
        if (complete && k == evaluations && problem.after_forces) failure = caught(problem.after_forces);
        if (failure) complete = false;
        start = StepPart::Clock::now();
      }
      if (complete) share_update(integrator.update(k), problem.motion, problem.dt);
    }
  }
  if (failure) std::rethrow_exception(failure);
  problem.note(TimelineKind::update, start);
  return complete;
}

}  // namespace

constexpr CpuKernel omp_region_kernel{
    .name = "omp-region",
    .meaning = "One parallel region for forces and updates, so the threads persist (ECE415 2022, omp3).",
    .usual_rate = 0.16,
    .threaded = true,
    .same_bits = true,
    .evaluate = evaluate,
    .step = step,
};

}  // namespace orrery::sim
