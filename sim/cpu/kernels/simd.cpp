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
void double_rows(const RowTask& task) { evaluate_task<DoubleCube, 2>(task); }

}  // namespace HWY_NAMESPACE
}  // namespace orrery::sim
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "cpu_kernels.h"
#include "sim/cpu/kernels/interaction.h"

namespace orrery::sim {

namespace {

HWY_EXPORT(single_rows);
HWY_EXPORT(double_rows);

bool evaluate(const ForceProblem& problem) {
  // Laws other than gravity have a loop of their own.
  if (problem.law != nullptr) return accelerate_targets(problem);
  auto* const rows = compiled_for(problem.instruction_set(), HWY_DISPATCH_TABLE(single_rows));
  return run_tasks(problem, row_tasks(problem), rows);
}

bool evaluate_double(const ForceProblem& problem) {
  auto* const rows = compiled_for(problem.instruction_set(), HWY_DISPATCH_TABLE(double_rows));
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
    .evaluate = evaluate,
    .takes_targets = true,
};

constexpr CpuKernel simd_double_kernel{
    .name = "simd-double",
    .meaning = "As simd, with differences, weights and sums in double precision; the state stays in single.",
    .usual_rate = 0.96,
    .threaded = true,
    .same_bits = true,
    .vectors = true,
    .gravity_only = "its loop in double precision adds gravity only",
    .evaluate = evaluate_double,
    .takes_targets = true,
};

}  // namespace orrery::sim
#endif
