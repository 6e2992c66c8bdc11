#pragma once

#include <string>

#include "sim/options/option_group.h"

namespace orrery::sim {

/// Cores that this process may run on, at least 1 and at most OMP_NUM_THREADS.
int available_processors();

/// The options that only the CPU engine has.
struct CpuOptions {
  std::string kernel, instructions, binding;
  int threads = 1;
  static OptionRows<CpuOptions> rows();
};

/// The CPU options of a configuration.
inline CpuOptions cpu_options(const Configuration& configuration) {
  return read_group<CpuOptions>(configuration);
}

}  // namespace orrery::sim
