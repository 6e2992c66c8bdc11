#include "sim/core/vector_targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sim/cpu/kernels/simd.cpp"
// Compiles the rest of this file once for each instruction set.
#include <hwy/foreach_target.h>

#include "sim/cpu/simd/rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orrery::sim {
namespace HWY_NAMESPACE {

void single_rows(const RowTask& task) { evaluate_task<SingleCube, 2>(task); }

}  // namespace HWY_NAMESPACE
}  // namespace orrery::sim
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "cpu_kernels.h"
#include "sim/cpu/kernels/interaction.h"

namespace orrery::sim {

namespace {

HWY_EXPORT(single_rows);

/// Laws other than gravity have a loop of their own.
bool evaluate_law(const ForceProblem& problem) {
  for (const auto& galaxy : problem.galaxies) {
    const auto rows = problem.targets_in(galaxy);
#pragma omp parallel for schedule(static) num_threads(problem.threads)
    for (std::size_t i = rows.first; i < rows.last; ++i) {
      if (!problem.interrupted())
        problem.acceleration[i] = acceleration_of(problem, i, problem.sources_in(galaxy));
    }
  }
  return !problem.interrupted();
}

bool evaluate(const ForceProblem& problem) {
  if (problem.law != nullptr) return evaluate_law(problem);
  auto* const rows = compiled_for(problem.instruction_set(), HWY_DISPATCH_TABLE(single_rows));
  return run_tasks(problem, row_tasks(problem), rows);
}

}  // namespace

constexpr CpuKernel simd_kernel{
    .name = "simd",
    .meaning =
        "Vector instructions (Highway), bodies in registers, estimates of 1/sqrt with a folded Newton "
        "step. Charges: as omp-bodies.",
    .usual_rate = 5.9,
    .threaded = true,
    .same_bits = true,
    .vectors = true,
    .gravity_only = {},
    .evaluate = evaluate,
    .step = nullptr,
    .takes_targets = true,
};

}  // namespace orrery::sim
#endif
