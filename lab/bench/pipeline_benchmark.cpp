#include "lab/bench/pipeline_benchmark.h"

#include <fmt/format.h>

#include <sstream>

#include "lab/setup/watched.h"
#include "sim/core/counted.h"
#include "sim/core/error.h"
#include "sim/cuda/options/gpu_options.h"

namespace orrery::lab {

namespace {

/// Empty if it can run.
std::string refusal(const BenchSetup& setup) {
  const auto& configuration = setup.configuration;
  std::string reason;
  for (const char* name : {"schedule", "map-count", "constants"}) {
    if (reason.empty())
      reason =
          setup.table.refusal(setup.table.at(name), configuration.value(name), configuration, setup.context);
  }
  const auto options = sim::gpu_options(configuration);
  if (reason.empty() && options.schedule == "graph" && options.host_memory == "pageable")
    reason = "a graph copies from page-locked memory";
  return reason;
}

/// Adds one schedule to the results. False: interrupted.
bool time_schedule(const BenchSetup& setup, const std::string& work, int steps,
                   std::vector<sim::PipelineResult>& results) try {
  constexpr int repetitions = 5;
  Watch watch(work);
  results.push_back(
      sim::run_pipeline(setup.table, setup.configuration, setup.scene, steps, repetitions, watch.progress()));
  return true;
} catch (const sim::Cancelled&) {
  return false;
}

}  // namespace

std::vector<std::string> schedule_names(const sim::OptionTable& table, const std::string& list) {
  if (list == "all") return {"serial", "streams", "phased", "batched", "graph"};
  std::vector<std::string> names;
  std::istringstream stream(list);
  for (std::string name; std::getline(stream, name, ',');)
    names.push_back(sim::to_string(table.parse(table.at("schedule"), name)));
  return names;
}

std::vector<sim::PipelineResult> time_schedules(BenchSetup& setup, const std::vector<std::string>& names,
                                                bool which_can, int steps) {
  fmt::print(stderr, "{} in {} of {}, {}, median of 5 runs after one to warm up\n",
             sim::counted(setup.scene.bodies.size(), "body", "bodies"),
             sim::counted(setup.scene.bodies.galaxies().size(), "galaxy", "galaxies"), setup.scene.title,
             sim::counted(steps, "step", "steps"));
  std::vector<sim::PipelineResult> results;
  for (std::size_t k = 0; k < names.size(); ++k) {
    const auto& name = names[k];
    setup.configuration.set("schedule", name);
    if (const auto reason = which_can ? refusal(setup) : std::string(); !reason.empty()) {
      fmt::print(stderr, "{} is left out: {}\n", name, reason);
      continue;
    }
    if (!time_schedule(setup, fmt::format("pipeline: {}, {} of {}", name, k + 1, names.size()), steps,
                       results))
      return results;
  }
  if (results.empty()) throw sim::UsageError("none of the schedules can run with these options");
  return results;
}

}  // namespace orrery::lab
