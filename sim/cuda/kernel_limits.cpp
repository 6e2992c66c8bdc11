#include "sim/cuda/kernel_limits.h"

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

KernelReport kernel_report_of(const KernelFacts& facts, const std::string& device) {
  return {.device = device,
          .registers = facts.registers,
          .spilled_bytes = facts.spilled_bytes,
          .shared_bytes = facts.shared_bytes,
          .block = facts.block,
          .occupancy = facts.occupancy,
          .compile_ms = facts.compile_ms,
          .slots_per_interaction = facts.instructions.each(facts.instructions.issued),
          .special_per_interaction = facts.instructions.each(facts.instructions.special),
          .problem = facts.problem};
}

void add_limits(KernelReport& report, const InstructionCount& count, const DeviceInfo& device) {
  const auto limits = kernel_limits(count, device);
  report.limit_gips += device.fp32_limit_gips();
  report.issue_limit_gips += limits.issue;
  report.special_limit_gips += limits.special;
  report.fp64_limit_gips += limits.fp64;
}

}  // namespace orrery::sim::cuda
