#include "sim/simulation/approximate_kernels.h"

#include <algorithm>

#include "sim/cpu/cpu_options.h"
#include "sim/cpu/kernel.h"
#include "sim/cuda/families/family.h"
#include "sim/options/engine_option.h"
#include "sim/options/tree_options.h"

namespace orrery::sim {

std::vector<std::string> own_choices(const Option& option) {
  auto choices = option.choices;
  if (option.name == "kernel" || option.name == "family") std::erase(choices, automatic_kernel);
  return choices;
}

bool is_approximate(std::string_view option, std::string_view choice) {
  if (option == "kernel") {
    const auto* kernel = find_cpu_kernel(choice);
    return kernel != nullptr && kernel->approximate;
  }
  return option == "family" && std::ranges::any_of(cuda::families(), [&](const cuda::Family* family) {
           return family->name == choice && family->approximate;
         });
}

bool uses_tree(const Configuration& configuration) {
  if (is_on_gpu(configuration)) return cuda::family_of(configuration).approximate;
  return is_approximate("kernel", cpu_options(configuration).kernel);
}

bool opens_by_geometry(const Configuration& configuration) { return !tree_settings(configuration).relative; }

StatedError stated_error(const Configuration& configuration) {
  if (!uses_tree(configuration)) return {};
  return stated_error(tree_settings(configuration));
}

}  // namespace orrery::sim
