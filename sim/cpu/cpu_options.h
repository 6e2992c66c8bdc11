#pragma once

#include <string>

#include "sim/options/option_group.h"

namespace orrery::sim {

/// The options that only the CPU engine has.
struct CpuOptions {
  std::string kernel, instructions, binding;
  int threads = 1;
};
/// Calls visit(name, member) for the option of each member.
template <typename Visit>
void for_each_value(CpuOptions& options, const Visit& visit) {
  visit("kernel", options.kernel);
  visit("instructions", options.instructions);
  visit("binding", options.binding);
  visit("threads", options.threads);
}

/// The CPU options of a configuration.
inline CpuOptions cpu_options(const Configuration& configuration) {
  return read_group<CpuOptions>(configuration);
}

/// Describes the options of the CPU engine.
void add_cpu_options(OptionTable& table);

/// Cores that this process may run on, at least 1 and at most OMP_NUM_THREADS: the default of `threads`.
int available_processors();

}  // namespace orrery::sim
