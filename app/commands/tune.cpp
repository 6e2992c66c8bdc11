#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "app/commands/argument_groups.h"
#include "app/commands/catalogue.h"
#include "lab/bench/bench_setup.h"
#include "lab/bench/tuned.h"
#include "lab/tuning/tuner.h"
#include "lab/tuning/tuning_benchmark.h"
#include "lab/tuning/tuning_report.h"

namespace orrery::app {

namespace {

struct Options {
  RunOptions run;
  double seconds = 60.0;
  std::optional<double> tolerance;  ///< median force error; default: what the badge calls right
  std::string json;                 ///< a file, "-" for standard output, empty: none
};

/// The options that the command line sets stay as they are.
std::vector<std::string> fixed_names(const RunOptions& run) {
  std::vector<std::string> names;
  for (const auto& assignment : run.assignments) names.push_back(assignment.substr(0, assignment.find('=')));
  return names;
}

int tune(const Options& options) {
  lab::check_report(options.json);
  const auto setup = bench_setup(options.run);
  setup.table.check(setup.configuration, setup.context);
  const bool quiet = options.json == "-";
  const auto key = lab::tuned_key(setup.configuration, setup.context);
  fmt::print(stderr, "tuning for {}: up to {:g} s\n", lab::describe(key), options.seconds);
  const auto axes = lab::tuning_axes(setup.table, setup.configuration, fixed_names(options.run));

  lab::TuningStopwatch stopwatch(setup);
  const auto begin = std::chrono::steady_clock::now();
  const auto measure_one = [&](const sim::Configuration& configuration, double fastest) {
    return stopwatch.measure(configuration, fastest);
  };
  const auto watch = [&](const lab::TuningTrial& trial) {
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
    fmt::print(quiet ? stderr : stdout, "{}", lab::tuning_line(trial, elapsed.count()));
    std::fflush(stdout);
  };
  lab::TuningLimits limits{.seconds = options.seconds};
  if (options.tolerance) {
    limits.error_median = *options.tolerance;
    limits.error_p99 = 100.0 * *options.tolerance;
  }
  if (!quiet) fmt::print("{:>9} {:>12}  {}\n", "", "GI/s kernel", "options against the start");
  const auto result =
      lab::tune(setup.table, setup.configuration, setup.context, axes, measure_one, limits, watch);

  if (!options.json.empty())
    lab::write_report(options.json, lab::tuning_json(setup, result, key).dump(2) + "\n");
  if (!quiet) fmt::print("{}", lab::tuning_text(setup, result));
  lab::remember_tuned(lab::tuned_result(setup, result, key));
  fmt::print(
      stderr,
      "remembered: `orrery view` and `orrery render` use it from now on, `orrery bench` with --tuned\n");
  return 0;
}

Action declare(Arguments& arguments) {
  const auto options = std::make_shared<Options>();
  add_data(arguments, options->run, "File or name of a built-in galaxy (default: plummer)");
  add_dataset(arguments, options->run.dataset);
  add_computing(arguments, options->run);
  arguments.value("--seconds", options->seconds, "Time for the search (default 60)").real_number(0.0);
  arguments
      .value("--tolerance", options->tolerance,
             "Largest median force error (default 1e-5, or twice that of the start); the 99th percentile "
             "may be 100 times as large")
      .real_number(0.0);
  add_json(arguments, options->json);
  arguments.footer(
      "Options that are set (--set tile=512) stay as they are; the others that decide speed but not the "
      "answer are searched.");
  return [options] { return tune(*options); };
}

}  // namespace

/// Looks for the fastest configuration and remembers it.
extern const Command tune_command{
    .name = "tune",
    .meaning = "Find the fastest configuration for this machine and dataset, and remember it",
    .declare = declare};

}  // namespace orrery::app
