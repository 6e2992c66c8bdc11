#pragma once

#include <string>
#include <vector>

#include "sim/cuda/options/kernel_configuration.h"

namespace orrery::sim::cuda {

/// Kernel configurations that together cover the device code: every family with every layout and arithmetic,
/// and every other switch at its ends, one at a time.
std::vector<KernelConfiguration> covering_set();

/// False where the architecture lacks what the configuration is made of: tensor cores for half and TF32
/// numbers.
bool exists_on(const KernelConfiguration& configuration, const std::string& architecture);

/// The architectures that must compile: Turing to Blackwell.
std::vector<std::string> covered_architectures();

}  // namespace orrery::sim::cuda
