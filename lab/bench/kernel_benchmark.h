#pragma once

#include <string>
#include <vector>

#include "lab/bench/bench_setup.h"
#include "lab/bench/benchmark.h"

namespace orrery::lab {

/// The names in "a,b", or all kernels of the engine that `configuration` chooses if it is "all". Throws
/// sim::UsageError for what is none.
std::vector<std::string> kernel_names(const sim::OptionTable& table, const sim::Configuration& configuration,
                                      const std::string& list);

/// Times kernels one after the other and says on standard error with what; speed-ups are over the first.
/// `which_can`: those that cannot run here are left out, and why is said; otherwise the first of them throws
/// sim::UsageError.
std::vector<BenchmarkRow> time_kernels(const BenchSetup& setup, const std::vector<std::string>& names,
                                       bool which_can, int steps);

/// The setup's configuration, then the one that `orrery tune` remembered for it. Throws as use_tuned.
std::vector<BenchmarkRow> time_tuned(BenchSetup setup, const std::vector<std::string>& assignments,
                                     int steps);

/// The dataset in a few words.
std::string dataset_text(const sim::Scene& scene);

}  // namespace orrery::lab
