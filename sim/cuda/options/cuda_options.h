#pragma once

#include <string_view>

#include "sim/cuda/options/gpu_options.h"

namespace orrery::sim {

/// A table of the CUDA options alone, for callers that have a configuration and no table.
const OptionTable& cuda_options();
/// True for options that some families use and others do not.
bool is_of_some_families(std::string_view option);

/// Adds the options of several galaxies on one GPU, and those of one dataset on several GPUs.
void add_galaxy_options(OptionRows<GpuOptions>& rows);
void add_device_options(OptionRows<GpuOptions>& rows);

namespace cuda {
/// Why the scratch memory of the chosen family does not fit into the GPU, in one line with advice; empty if
/// it does, or where a size is not known.
std::string scratch_too_large(const Configuration& configuration, const OptionContext& context);
}  // namespace cuda

}  // namespace orrery::sim
