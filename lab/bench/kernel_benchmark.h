#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lab/bench/bench_setup.h"
#include "lab/bench/benchmark.h"

namespace orrery::lab {

/// The names in "a,b", or all kernels of the engine that `configuration` chooses if it is "all". Throws
/// sim::UsageError for what is none.
std::vector<std::string> kernel_names(const sim::OptionTable& table, const sim::Configuration& configuration,
                                      const std::string& list);

/// Called with each row as soon as it is measured.
using RowWatch = std::function<void(const BenchmarkRow& row)>;

/// Times kernels one after the other and says on standard error with what; speed-ups are over the first.
/// `which_can`: those that cannot run here are left out, and why is said; otherwise the first of them throws
/// sim::UsageError. Ends early, with fewer rows, when a person interrupts (sim::interrupted).
void time_kernels(const BenchSetup& setup, const std::vector<std::string>& names, bool which_can, int steps,
                  const RowWatch& watch);

/// The setup's configuration, then the one that `orrery tune` remembered for it. Throws as use_tuned. Ends
/// early like time_kernels.
void time_tuned(BenchSetup setup, const std::vector<std::string>& assignments, int steps,
                const RowWatch& watch);

}  // namespace orrery::lab
