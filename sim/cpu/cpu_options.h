#pragma once

#include "sim/options/configuration.h"

namespace orrery::sim {

/// The options that only the CPU engine has: kernel and threads.
void add_cpu_options(OptionTable& table);

/// Processors that this process may run on, at least 1 and at most OMP_NUM_THREADS: the default of `threads`.
int available_processors();

}  // namespace orrery::sim
