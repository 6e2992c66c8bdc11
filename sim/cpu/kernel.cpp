#include "sim/cpu/kernel.h"

#include <algorithm>
#include <array>

#include "sim/cpu/kernels/kernels.h"

namespace orrery::sim {

std::span<const CpuKernel* const> cpu_kernels() {
  static constexpr std::array<const CpuKernel*, 9> all{
      &sequential_kernel, &omp_galaxies_kernel,     &omp_reduction_kernel,
      &omp_bodies_kernel, &omp_region_kernel,       &shared_edge_kernel,
      &simd_kernel,       &simd_shared_edge_kernel, &simd_double_kernel,
  };
  return all;
}

const CpuKernel* find_cpu_kernel(std::string_view name) {
  const auto all = cpu_kernels();
  const auto found = std::ranges::find(all, name, &CpuKernel::name);
  return found == all.end() ? nullptr : *found;
}

}  // namespace orrery::sim
