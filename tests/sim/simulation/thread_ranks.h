#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sim/ranks/communicator.h"

namespace orrery::sim::checks {

/// Runs `work` on so many threads, each of which is a rank that exchanges with the others through memory.
/// What a rank throws comes back as its message; empty for one that came to its end.
std::vector<std::string> on_ranks(int count, const std::function<void(Communicator&)>& work);

}  // namespace orrery::sim::checks
