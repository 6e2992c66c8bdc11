#pragma once

#include "sim/cpu/kernel.h"

// The registered kernels, one per file of this folder.
namespace orrery::sim {

extern const CpuKernel sequential_kernel;
extern const CpuKernel omp_galaxies_kernel;
extern const CpuKernel omp_reduction_kernel;
extern const CpuKernel omp_bodies_kernel;
extern const CpuKernel omp_region_kernel;
extern const CpuKernel shared_edge_kernel;
extern const CpuKernel simd_kernel;
extern const CpuKernel simd_double_kernel;
extern const CpuKernel simd_shared_edge_kernel;

}  // namespace orrery::sim
