#pragma once

#include <cstddef>
#include <string>

#include "sim/options/option_group.h"

namespace orrery::sim {

/// The options of the CUDA engine that code on the host reads. What only a family reads is in its own file,
/// and what only device code reads is in KernelConfiguration::code. Described also where the engine is
/// absent: they then say that they have no effect.
struct GpuOptions {
  std::string devices, split_by, balance, ranks_transfer;
  std::string family, update, transfers, host_memory, schedule, map_count;
  std::string layout, passing, constants, staging, math, precision;
  std::size_t streams = 1;
  int block = 0, registers = 0;
  bool early_launch = true;

  bool has_double_precision() const { return precision == "double"; }
  bool is_fused() const { return update == "fused"; }
  bool is_resident() const { return transfers == "resident"; }
  bool has_constant_memory() const { return constants != "arguments"; }
  /// Ranges, numbers of bodies and the time step are in constant memory too.
  bool has_constant_ranges() const { return constants == "constant-memory-all"; }
  /// Galaxies work on several streams at a time.
  bool forks() const { return schedule == "streams" || schedule == "phased" || schedule == "graph"; }
  static OptionRows<GpuOptions> rows();
};

/// The CUDA engine's options of a configuration.
inline GpuOptions gpu_options(const Configuration& configuration) {
  return read_group<GpuOptions>(configuration);
}

}  // namespace orrery::sim
