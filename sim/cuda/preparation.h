#pragma once

#include "sim/options/configuration.h"

namespace orrery::sim::cuda {

/// Starts CUDA on the devices of a configuration and compiles its kernel into the cache on disk. Any thread.
/// Throws Error.
void prepare(const Configuration& configuration);

}  // namespace orrery::sim::cuda
