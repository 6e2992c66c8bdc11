#pragma once

#include <string>
#include <vector>

#include "sim/cuda/families/family.h"
#include "sim/cuda/options/kernel_configuration.h"
#include "sim/simulation/simulation_options.h"

namespace orrery::sim::cuda {

/// The kernel that settings such as "family=tensor" make, plainly compiled unless they say otherwise:
/// denormal numbers kept, launches one after the other.
inline KernelConfiguration kernel(const std::vector<std::string>& settings = {}) {
  static const OptionTable table = [] {
    OptionTable options;
    add_simulation_options(options);
    return options;
  }();
  auto configuration = table.defaults();
  table.assign(configuration, "math=ieee");
  table.assign(configuration, "early-launch=off");
  for (const auto& setting : settings) table.assign(configuration, setting);
  return kernel_configuration(configuration);
}

/// The same with one more setting.
inline std::vector<std::string> with(std::vector<std::string> settings, const std::string& more) {
  settings.push_back(more);
  return settings;
}

}  // namespace orrery::sim::cuda
