#include "sim/simulation/approximate_kernels.h"

#include "sim/cpu/kernel.h"
#include "sim/cuda/families/family.h"
#include "sim/options/tree_options.h"

namespace orrery::sim {

bool uses_tree(const Configuration& configuration) {
  if (configuration.choice("engine") == "cuda") return cuda::family_of(configuration).approximate;
  const auto* kernel = find_cpu_kernel(configuration.choice("kernel"));
  return kernel != nullptr && kernel->approximate;
}

double stated_error(const Configuration& configuration) {
  return uses_tree(configuration) ? stated_error(tree_settings(configuration)) : 0.0;
}

}  // namespace orrery::sim
