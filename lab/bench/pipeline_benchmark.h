#pragma once

#include <string>
#include <vector>

#include "lab/bench/bench_setup.h"
#include "sim/engines/pipeline.h"

namespace orrery::lab {

/// The schedules in "a,b", or all of the offline job if it is "all". Throws sim::UsageError for what is none.
std::vector<std::string> schedule_names(const sim::OptionTable& table, const std::string& list);

/// Times the offline job, host -> device -> steps -> host, with one schedule after the other, and says on
/// standard error with what; a line on the terminal says how far it is. `which_can`: those that cannot run
/// here are left out, and why is said. When a person interrupts (sim::interrupted) those timed until then are
/// returned. Throws sim::UsageError if none can.
std::vector<sim::PipelineResult> time_schedules(BenchSetup& setup, const std::vector<std::string>& names,
                                                bool which_can, int steps);

}  // namespace orrery::lab
