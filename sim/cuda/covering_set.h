#pragma once

#include <string>
#include <vector>

#include "sim/cuda/kernel_configuration.h"

namespace orrery::sim::cuda {

/// Kernel configurations that together cover the device code: every family with every layout and arithmetic,
/// and every other switch at its ends, one at a time.
std::vector<KernelConfiguration> covering_set();

/// The architectures that must compile: Turing to Blackwell.
std::vector<std::string> covered_architectures();

}  // namespace orrery::sim::cuda
