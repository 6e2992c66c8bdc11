#include "cpu_kernels.h"
#include "sim/cpu/kernels/interaction.h"

namespace orrery::sim {

constexpr CpuKernel omp_bodies_kernel{
    .name = "omp-bodies",
    .meaning = "Parallel loop over the bodies (ECE415 2022, omp2; ECE1782, cpu0).",
    .usual_rate = 0.155,
    .threaded = true,
    .same_bits = true,
    .evaluate = accelerate_targets,
    .takes_targets = true,
};

}  // namespace orrery::sim
