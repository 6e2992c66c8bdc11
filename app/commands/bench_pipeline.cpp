#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "app/bench_setup.h"
#include "app/commands/commands.h"
#include "app/display_options.h"
#include "app/pipeline_report.h"
#include "app/timeline_trace.h"
#include "sim/error.h"
#include "sim/pipeline.h"
#include "sim/ranks/world.h"
#include "sim/snapshots/format.h"

namespace orrery::app {

namespace {

constexpr int report_steps = 20;  ///< of ECE415 2025

/// The schedules in "a,b", or all; every name is checked before anything runs.
std::vector<std::string> schedules_of(const sim::OptionTable& table, const std::string& list) {
  if (list == "all") return {"serial", "streams", "phased", "batched", "graph"};
  std::vector<std::string> names;
  std::istringstream stream(list);
  for (std::string name; std::getline(stream, name, ',');)
    names.push_back(sim::to_string(table.parse(table.at("schedule"), name)));
  return names;
}

/// Where all are asked for, those run that can.
bool left_out(const BenchSetup& setup, const BenchOptions& options, const sim::Configuration& configuration) {
  const auto& schedule = setup.table.at("schedule");
  auto reason = setup.table.refusal(schedule, configuration.value("schedule"), configuration, setup.context);
  const bool graph = configuration.choice("schedule") == "graph";
  if (reason.empty() && graph && configuration.choice("host-memory") == "pageable")
    reason = "a graph copies from page-locked memory";
  if (options.pipeline != "all" || reason.empty()) return false;
  fmt::print(stderr, "{} is left out: {}\n", configuration.choice("schedule"), reason);
  return true;
}

}  // namespace

int bench_pipeline_command(const BenchOptions& options) {
  if (sim::world().size() > 1)
    throw sim::UsageError(
        "--pipeline runs in one process, on all GPUs of 'devices'; start it without mpirun");
  if (!options.csv.empty()) throw sim::UsageError("--pipeline writes a table or --json, no --csv");
  check_report(options.json);
  if (!options.timeline.empty()) const sim::FileWriter trial(options.timeline);
  const auto names = schedules_of(all_options(), options.pipeline);
  auto setup = bench_setup(options.run);
  const int steps = options.own_steps ? options.steps : report_steps;
  fmt::print(stderr, "{} bodies in {} galaxies of {}, {} steps, median of 5 runs after one to warm up\n",
             setup.scene.bodies.size(), setup.scene.bodies.galaxies().size(), setup.scene.title, steps);
  std::vector<sim::PipelineResult> results;
  for (const auto& name : names) {
    setup.configuration.set("schedule", name);
    if (left_out(setup, options, setup.configuration)) continue;
    results.push_back(sim::run_pipeline(setup.table, setup.configuration, setup.scene, steps));
  }
  if (results.empty()) throw sim::UsageError("none of the schedules can run with these options");
  if (!options.json.empty()) write_report(options.json, pipeline_json(results).dump(2) + "\n");
  if (options.json != "-") fmt::print("{}", pipeline_table(results));
  if (!options.timeline.empty())
    write_trace(options.timeline, results.back().timeline, results.back().devices);
  return 0;
}

}  // namespace orrery::app
