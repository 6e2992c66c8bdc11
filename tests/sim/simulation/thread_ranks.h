#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/bodies/bodies.h"
#include "sim/engines/engine.h"
#include "sim/ranks/communicator.h"

namespace orrery::sim::checks {

/// Runs `work` on so many threads, each of which is a rank that exchanges with the others through memory.
/// Runs `work` on ranks. Exceptions come back as messages; empty for a rank that came to its end.
std::vector<std::string> on_ranks(int count, const std::function<void(Communicator&)>& work);

/// The answer of each rank to Communicator::gpu_addresses; empty: refused.
inline std::function<GpuAddresses(int)> gpu_addresses_of;

/// The bodies of rank 0 after the given steps of engines that each rank makes for itself. No rank may fail.
Bodies moved_by_ranks(int count, const std::function<std::unique_ptr<Engine>(Communicator&)>& make,
                      const Bodies& bodies, int steps);

}  // namespace orrery::sim::checks
