#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "lab/bench/bench_setup.h"
#include "sim/engines/pipeline.h"

namespace orrery::lab {

/// The duration of a stage for the first and the last galaxy that passed through it, and the median of all.
struct StageTimes {
  double first = 0.0, median = 0.0, last = 0.0;  ///< milliseconds
};
/// Zeros without galaxies. `stage`: e.g. &PipelineStage::copy_in_ms.
StageTimes stage_times(const sim::PipelineResult& result, double sim::PipelineStage::*stage);

/// The share of the copies that cost no time of their own, because something else ran meanwhile, 0 to 1:
/// 1 - exposed_copy_ms devices / (sum of all copies), as exposed_copy_ms is the mean of the devices. Negative
/// where nothing was copied.
double hidden_copies(const sim::PipelineResult& result);

/// Runs side by side, one line each, with the speed-up of the total over the first; then the stages of each
/// run (first galaxy, median, last), as tables 3 and 4 of the ECE415 report have them.
std::string pipeline_table(std::span<const sim::PipelineResult> results);

/// The results as JSON with every galaxy and what is known about kernels and devices. Without timelines.
nlohmann::json pipeline_json(std::span<const sim::PipelineResult> results);

/// The schedules in "a,b", or all of the offline job if it is "all". Throws sim::UsageError for what is none.
std::vector<std::string> schedule_names(const sim::OptionTable& table, const std::string& list);

/// Times the offline job, host -> device -> steps -> host, with one schedule after the other, and says on
/// standard error with what; a line on the terminal says how far it is. `which_can`: those that cannot run
/// here are left out, and why is said. When a person interrupts (sim::interrupted) those timed until then are
/// returned. Throws sim::UsageError if none can.
std::vector<sim::PipelineResult> time_schedules(BenchSetup& setup, const std::vector<std::string>& names,
                                                bool which_can, int steps);

}  // namespace orrery::lab
