#include "sim/options/engine_option.h"

#include <algorithm>
#include <array>

namespace orrery::sim {

const EngineTraits& engine_traits(std::string_view name) {
  static constexpr std::array all{&cpu_traits, &cuda_traits, &emulated_traits};
  static constexpr EngineTraits none{.kernel_option = "kernel"};
  const auto found = std::ranges::find(all, name, &EngineTraits::name);
  return found == all.end() ? none : **found;
}

std::string kernel_option(const Configuration& configuration) {
  return std::string(engine_traits(configuration).kernel_option);
}

const std::string& computing_name(const Configuration& configuration) {
  return configuration.choice(kernel_option(configuration));
}

}  // namespace orrery::sim
