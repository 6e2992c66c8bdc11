#include "sim/core/vector_targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sim/cpu/kernels/tree.cpp"
// Compiles the rest of this file once for each instruction set.
#include <hwy/foreach_target.h>

#include "sim/cpu/tree/group_forces-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orrery::sim {
namespace HWY_NAMESPACE {

void group_forces(GroupTask& task) { task.guarded ? sum_group<true, 2>(task) : sum_group<false, 2>(task); }

}  // namespace HWY_NAMESPACE
}  // namespace orrery::sim
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "cpu_kernels.h"
#include "sim/cpu/tree/tree_forces.h"

namespace orrery::sim {

namespace {

HWY_EXPORT(group_forces);

bool evaluate(const ForceProblem& problem) {
  return tree_forces(problem, compiled_for(problem.instruction_set(), HWY_DISPATCH_TABLE(group_forces)));
}

}  // namespace

constexpr CpuKernel tree_kernel{
    .name = "tree",
    .meaning = "An octree: distant cells act as one body. N log N, approximate: opening sets the accuracy.",
    .usual_rate = 4.0,
    .threaded = true,
    .same_bits = true,
    .vectors = true,
    .gravity_only = "a cell's charges may cancel, and its masses say nothing of them",
    .evaluate = evaluate,
    .takes_targets = true,
    .takes_active = true,
    .approximate = true,
};

/// Engines take the tree or every pair by the number of bodies (sim/simulation/accurate_engine.h). What asks
/// kernels directly gets the tree, which is right for any number.
const CpuKernel auto_kernel = [] {
  CpuKernel kernel = tree_kernel;
  kernel.name = "auto";
  kernel.meaning = "simd for few bodies, tree for many: whichever is faster at the requested accuracy.";
  return kernel;
}();

}  // namespace orrery::sim
#endif
