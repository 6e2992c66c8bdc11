#include "cpu_kernels.h"
#include "sim/cpu/kernel.h"

namespace orrery::sim {

namespace {

/// Engines take the tree or every pair by the number of bodies, and never ask this one. What asks kernels
/// directly gets what is right for any number.
bool evaluate(const ForceProblem& problem) { return find_cpu_kernel("tree")->evaluate(problem); }

}  // namespace

constexpr CpuKernel auto_kernel{
    .name = "auto",
    .meaning = "simd for few bodies, tree for many: whichever is faster at the accuracy that is asked for.",
    .usual_rate = 4.0,
    .threaded = true,
    .same_bits = true,
    .vectors = true,
    .gravity_only = "a cell's charges may cancel, and its masses say nothing of them",
    .evaluate = evaluate,
    .step = nullptr,
    .takes_targets = true,
    .approximate = true,
};

}  // namespace orrery::sim
