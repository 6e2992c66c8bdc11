#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "app/commands/argument_groups.h"
#include "app/commands/catalogue.h"
#include "app/picture/display_options.h"
#include "app/run/interruption.h"
#include "app/run/kernel_folder.h"
#include "app/session/idle_assignments.h"
#include "lab/bench/bench_setup.h"
#include "lab/bench/pipeline_benchmark.h"
#include "lab/bench/timeline_trace.h"
#include "sim/core/error.h"
#include "sim/cuda/driver/device.h"
#include "sim/options/engine_option.h"
#include "sim/snapshots/format.h"

namespace orrery::app {

namespace {

struct PipelineOptions {
  std::string schedules = "all";  ///< names, comma separated, or "all"
  RunOptions run;
  int steps = 20;                  ///< number of steps; the default is that of ECE415 2025
  std::string json;                ///< a file, "-" for standard output, empty: none
  std::filesystem::path timeline;  ///< trace of the last schedule; empty: none
};

/// Before anything is said or measured.
void require_gpu(const sim::Configuration& configuration) {
  const auto problem = sim::cuda::find_devices().problem;
  if (sim::is_on_gpu(configuration) && problem.empty()) return;
  if (problem.empty()) throw sim::UsageError("the pipeline runs on GPUs; use --engine cuda");
  throw sim::UsageError("the pipeline runs on GPUs: " + problem);
}

int pipeline(const PipelineOptions& options) {
  read_kernels_from(options.run.kernel_folder);
  lab::check_report(options.json);
  if (!options.timeline.empty()) const sim::FileWriter trial(options.timeline);
  const auto names = lab::schedule_names(all_options(), options.schedules);
  end_early_on_signals();
  auto setup = bench_setup(options.run);
  require_gpu(setup.configuration);
  report_idle_assignments(setup.table, options.run.assignments,
                          with_each(setup.configuration, "schedule", names), Draws::no);
  const auto results = lab::time_schedules(setup, names, options.schedules == "all", options.steps);
  if (!options.json.empty()) lab::write_report(options.json, lab::pipeline_json(results));
  if (options.json != "-") fmt::print("{}", lab::pipeline_table(results));
  if (!options.timeline.empty() && !results.empty())
    lab::write_trace(options.timeline, results.back().timeline, results.back().devices);
  return interrupted_at(
      fmt::format("schedule {} of {}; {}", results.size() + 1, names.size(),
                  results.empty() ? "nothing was measured" : "what was measured before is reported"));
}

Action declare_pipeline(Arguments& arguments) {
  const auto options = std::make_shared<PipelineOptions>();
  arguments
      .positional("SCHEDULES", options->schedules,
                  "Schedules, comma separated: serial, streams, phased, batched, graph (default: all)")
      .shown_as("NAMES|all")
      .not_empty();
  add_data(arguments, options->run, "File or name of a built-in galaxy (default: plummer)");
  add_dataset(arguments, options->run.dataset);
  add_computing(arguments, options->run);
  add_kernel_folder(arguments, options->run.kernel_folder);
  arguments.group("Measurement");
  arguments.value("--steps", options->steps, "Steps of the job (default 20)")
      .whole_number(1, most_timed_steps);
  arguments.group("Output");
  add_json(arguments, options->json);
  arguments
      .value("--timeline", options->timeline,
             "Write what every stream did (of the last schedule) in Chrome's trace format")
      .shown_as("FILE")
      .not_empty()
      .names_file(FileRole::written);
  return [options] { return pipeline(*options); };
}

}  // namespace

extern const Command pipeline_command{
    .name = "pipeline",
    .meaning = "Time the offline job, host -> GPU -> steps -> host, with several schedules",
    .declare = declare_pipeline};

}  // namespace orrery::app
