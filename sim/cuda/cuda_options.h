#pragma once

#include "sim/tuning/configuration.h"

namespace orrery::sim {

/// The switches of the CUDA engine: family, layout, arithmetic, tile, block, unroll and the others of the
/// reports. They are described also where the engine is absent, and then say that they have no effect.
void add_cuda_options(OptionTable& table);
/// Part of them: several galaxies on one GPU.
void add_galaxy_options(OptionTable& table);
/// Part of them: one dataset on several GPUs.
void add_device_options(OptionTable& table);

}  // namespace orrery::sim
