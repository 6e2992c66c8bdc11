#include "sim/cpu/kernel.h"

#include <algorithm>

#include "cpu_kernels.h"

namespace orrery::sim {

std::span<const CpuKernel* const> cpu_kernels() { return registry::kernels; }

const CpuKernel* find_cpu_kernel(std::string_view name) {
  const auto all = cpu_kernels();
  const auto found = std::ranges::find(all, name, &CpuKernel::name);
  return found == all.end() ? nullptr : *found;
}

}  // namespace orrery::sim
