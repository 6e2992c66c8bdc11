#pragma once

#include <cstddef>
#include <string>

#include "sim/options/option_group.h"

namespace orrery::sim {

/// The options of the CUDA engine that code on the host reads. What only a family reads is in its own file,
/// and what only device code reads is in KernelConfiguration::code.
struct GpuOptions {
  std::string devices, split_by, balance, ranks_transfer;
  std::string family, update, transfers, host_memory, schedule, map_count;
  std::string layout, passing, constants, staging, math, precision;
  std::string state_precision;  ///< an option of every engine
  std::size_t streams = 1;
  int block = 0, registers = 0;
  bool early_launch = false;

  bool has_double_precision() const { return precision == "double"; }
  bool is_fused() const { return update == "fused"; }
  bool is_resident() const { return transfers == "resident"; }
  bool is_compensated() const { return state_precision == "compensated"; }
  bool has_constant_memory() const { return constants != "arguments"; }
  /// Ranges, numbers of bodies and the time step are in constant memory too.
  bool has_constant_ranges() const { return constants == "constant-memory-all"; }
  /// Galaxies work on several streams at a time.
  bool forks() const { return schedule == "streams" || schedule == "phased" || schedule == "graph"; }
};
/// Calls visit(name, member) for the option of each member.
template <typename Visit>
void for_each_value(GpuOptions& options, const Visit& visit) {
  visit("devices", options.devices);
  visit("split-by", options.split_by);
  visit("balance", options.balance);
  visit("ranks-transfer", options.ranks_transfer);
  visit("family", options.family);
  visit("update", options.update);
  visit("transfers", options.transfers);
  visit("host-memory", options.host_memory);
  visit("schedule", options.schedule);
  visit("map-count", options.map_count);
  visit("layout", options.layout);
  visit("passing", options.passing);
  visit("constants", options.constants);
  visit("staging", options.staging);
  visit("math", options.math);
  visit("precision", options.precision);
  visit("state-precision", options.state_precision);
  visit("streams", options.streams);
  visit("block", options.block);
  visit("registers", options.registers);
  visit("early-launch", options.early_launch);
}

/// The CUDA engine's options of a configuration.
inline GpuOptions gpu_options(const Configuration& configuration) {
  return read_group<GpuOptions>(configuration);
}

}  // namespace orrery::sim
