#pragma once

#include "sim/engines/engine_report.h"

namespace orrery::lab {

/// Which part of all interactions a force evaluation of the last step summed, on average: 1, but less with
/// individual steps (step=block), where most evaluations are of some of the bodies.
inline double evaluation_share(const sim::EngineReport& report) {
  const double times = report.number("block_times");
  return times > 0.0 ? report.number("forces_of_body") / times : 1.0;
}

/// True if the times of evaluations belong to so many interactions. A GPU that computes some of the bodies
/// measures the longer ones of its evaluations, and does not say which.
inline bool times_are_of_share(const sim::EngineReport& report) {
  return report.device.empty() || evaluation_share(report) == 1.0;
}

}  // namespace orrery::lab
