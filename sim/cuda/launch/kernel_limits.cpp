#include "sim/cuda/launch/kernel_limits.h"

#include <algorithm>

namespace orrery::sim::cuda {

namespace {

constexpr double issue_lanes = 128.0;  // four schedulers, an instruction of a warp each
constexpr double special_lanes = 16.0;

/// Compute capability 7.x and 8.0 have half as many FP32 lanes as issue slots.
double fp32_lanes(const DeviceInfo& device) {
  const int capability = device.capability_major * 10 + device.capability_minor;
  return capability <= 80 ? 64.0 : 128.0;
}

/// `each`: instructions of an interaction.
double rate(const DeviceInfo& device, double lanes, double each) {
  return each > 0.0 ? device.multiprocessors * lanes * device.clock_mhz * 1e-3 / each : 0.0;
}

}  // namespace

KernelLimits kernel_limits(const InstructionCount& count, const DeviceInfo& device) {
  KernelLimits limits{.issue = rate(device, issue_lanes, count.each(count.issued)),
                      .special = rate(device, special_lanes, count.each(count.special))};
  if (const double each = count.each(count.fp32); each > 0.0)
    limits.issue = std::min(limits.issue, rate(device, fp32_lanes(device), each));
  if (device.fp64_ratio > 0)
    limits.fp64 = rate(device, fp32_lanes(device) / device.fp64_ratio, count.each(count.fp64));
  return limits;
}

EngineReport report_of(const KernelFacts& facts, const std::string& device) {
  const auto& count = facts.instructions;
  // Without a count a kernel may still have special functions.
  const double issued = count.each(count.issued);
  const auto counted = [&](double each) { return issued > 0.0 ? Fact::Value(each) : Fact::Value(); };
  EngineReport report{.device = device, .problem = facts.problem};
  report.facts = {
      {.key = "registers",
       .value = std::int64_t{facts.registers},
       .label = "registers",
       .hint = "Of a thread."},
      {.key = "spilled_bytes",
       .value = std::int64_t{facts.spilled_bytes},
       .label = "spilled",
       .unit = "B",
       .hint = "Of a thread: what found no place in registers."},
      {.key = "shared_bytes",
       .value = std::int64_t{facts.shared_bytes},
       .label = "shared",
       .unit = "B",
       .hint = "Shared memory of a block."},
      {.key = "block", .value = std::int64_t{facts.block}, .label = "block", .hint = "Threads of a block."},
      {.key = "occupancy",
       .value = facts.occupancy,
       .label = "occupancy",
       .unit = "%",
       .hint = "Resident threads of the most that fit on a multiprocessor."},
      {.key = "slots_per_interaction", .value = counted(issued)},
      {.key = "special_per_interaction", .value = counted(count.each(count.special))},
      {.key = "compile_ms",
       .value = facts.compile_ms,
       .label = "compiled in",
       .unit = "ms",
       .hint = "0: kernels that were compiled before are kept on disk."},
  };
  return report;
}

void add_limits(EngineReport& report, const InstructionCount& count, const DeviceInfo& device) {
  const auto limits = kernel_limits(count, device);
  report.add({.key = limit_keys::fp32,
              .label = "FP32 limit",
              .gips = device.fp32_limit_gips(),
              .operations = 13.0,
              .hint =
                  "128 lanes per multiprocessor and clock, 13 issue slots per interaction. Not known where a "
                  "GPU does not tell its clock."});
  report.add({.key = limit_keys::issue,
              .label = "issue limit",
              .gips = limits.issue,
              .operations = count.each(count.issued)});
  report.add({.key = limit_keys::special,
              .label = "special-function limit",
              .gips = limits.special,
              .operations = count.each(count.special)});
  report.add({.key = limit_keys::fp64,
              .label = "FP64 limit",
              .gips = limits.fp64,
              .operations = count.each(count.fp64)});
}

}  // namespace orrery::sim::cuda
