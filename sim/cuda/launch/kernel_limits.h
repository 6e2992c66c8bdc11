#pragma once

#include <string>

#include "sim/cuda/compiler/instruction_count.h"
#include "sim/cuda/driver/device.h"
#include "sim/cuda/launch/module.h"
#include "sim/engines/engine.h"

namespace orrery::sim::cuda {

/// The rates in 1e9 interactions per second that a device allows a kernel with that many instructions; 0
/// where the count is not known or a unit is not used.
struct KernelLimits {
  /// 128 instructions per multiprocessor and clock, or its FP32 lanes, where those are fewer.
  double issue = 0.0;
  double special = 0.0;  ///< 16 special functions per multiprocessor and clock
  double fp64 = 0.0;
};

/// Lanes and rates: CUDA C++ Programming Guide, "Throughput of Native Arithmetic Instructions"; those of
/// double precision by what the driver says of the device.
KernelLimits kernel_limits(const InstructionCount& count, const DeviceInfo& device);

/// The facts about a compiled kernel, for the panel and reports; without limits.
EngineReport report_of(const KernelFacts& facts, const std::string& device);

/// Adds the limits of one device that takes part, counted and of 13 slots, to those of a report.
void add_limits(EngineReport& report, const InstructionCount& count, const DeviceInfo& device);

}  // namespace orrery::sim::cuda
