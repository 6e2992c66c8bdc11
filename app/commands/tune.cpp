#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "app/commands/argument_groups.h"
#include "app/commands/catalogue.h"
#include "app/commands/standard_streams.h"
#include "app/run/interruption.h"
#include "app/session/idle_assignments.h"
#include "lab/bench/bench_setup.h"
#include "lab/bench/tuned.h"
#include "lab/setup/free_option.h"
#include "lab/setup/progress_line.h"
#include "lab/tuning/tuner.h"
#include "lab/tuning/tuning_benchmark.h"
#include "sim/options/engine_option.h"
#include "sim/simulation/approximate_kernels.h"
#include "sim/simulation/monitor.h"

namespace orrery::app {

namespace {

struct TuneOptions {
  RunOptions run;
  double seconds = 60.0;
  /// Limit of the 99th percentile of the force error; default: the badge's limit.
  std::optional<double> error;
  bool under_load = false;
  std::string json;  ///< a file, "-" for standard output, empty: none
};

/// The options that the command line sets stay as they are.
std::vector<std::string> fixed_names(const RunOptions& run) {
  std::vector<std::string> names;
  for (const auto& assignment : run.assignments) names.push_back(assignment.substr(0, assignment.find('=')));
  return names;
}

/// Shows a search while it goes on: lines of what was tried, and what is being tried.
class TuningReporter {
 public:
  TuningReporter(const lab::BenchSetup& setup, double seconds, bool quiet)
      : setup_(setup),
        seconds_(seconds),
        out_(quiet ? stderr : stdout),
        width_(lab::terminal_width(quiet ? STDERR_FILENO : STDOUT_FILENO, usual_width)) {}

  void begin(const sim::Configuration& configuration) {
    const auto changes = sim::differences(setup_.table, setup_.configuration, configuration);
    line_.show_with_time(changes.empty() ? "the start" : changes, std::max(seconds_ - elapsed(), 0.0));
  }
  void print(const std::string& text) {
    const auto quiet = line_.pause();
    fmt::print(out_, "{}\n", lab::shortened(text, width_));
    std::fflush(out_);
  }
  void print(const lab::TuningTrial& trial) { print(lab::tuning_line(trial, elapsed())); }

 private:
  static constexpr std::size_t usual_width = 120;

  double elapsed() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

  const lab::BenchSetup& setup_;
  double seconds_;
  std::FILE* out_;  ///< borrowed
  std::size_t width_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  lab::ProgressLine line_{"tune"};
};

lab::TuningResult search(const TuneOptions& options, const lab::BenchSetup& setup) {
  const auto axes =
      lab::tuning_axes(setup.table, setup.configuration, fixed_names(options.run), options.error);
  TuningReporter course(setup, options.seconds, options.json == "-");
  lab::TuningStopwatch stopwatch(setup);
  const auto measure_one = [&](const sim::Configuration& configuration, const lab::TuningEffort& effort) {
    course.begin(configuration);
    return stopwatch.measure(configuration, effort);
  };
  lab::TuningLimits limits{.seconds = options.seconds, .under_load = options.under_load};
  if (options.error) {
    limits.error = *options.error;
    limits.strict = true;
  }
  if (options.json != "-" && options.seconds > 0.0) course.print(lab::tuning_heading());
  return lab::tune(setup.table, setup.configuration, setup.context, axes, measure_one, limits,
                   [&](const lab::TuningTrial& trial) { course.print(trial); });
}

void keep(const lab::BenchSetup& setup, const lab::TuningResult& result, const lab::TunedKey& key) {
  if (!result.nothing.empty()) {
    fmt::print(stderr, "nothing is remembered: {}\n", result.nothing);
    return;
  }
  lab::remember_tuned(lab::tuned_result(setup, result, key));
  fmt::print(
      stderr,
      "remembered: `orrery view` and `orrery render` use it from now on, `orrery bench` with --tuned\n");
}

/// Names assignments that no kernel uses which the search may try.
void report_idle(const TuneOptions& options, const lab::BenchSetup& setup) {
  const auto& assignments = options.run.assignments;
  const auto kernel = sim::kernel_option(setup.configuration);
  std::vector<std::string> kernels{sim::computing_name(setup.configuration)};
  if (!lab::chooses(assignments, kernel)) kernels = sim::own_choices(setup.table.at(kernel));
  report_idle_assignments(setup.table, assignments, with_each(setup.configuration, kernel, kernels),
                          Draws::no);
}

int tune(const TuneOptions& options) {
  end_early_on_signals();
  lab::check_report(options.json);
  const auto setup = bench_setup(options.run);
  setup.table.check(setup.configuration, setup.context);
  const auto key = lab::tuned_key(setup.configuration, setup.context);
  if (options.seconds > 0.0) lab::require_place_for_tuned();
  report_idle(options, setup);
  fmt::print(stderr, "tuning for {}: up to {:g} s\n", lab::describe(key), options.seconds);
  const auto result = search(options, setup);
  if (!options.json.empty()) lab::write_report(options.json, lab::tuning_json(setup, result, key));
  if (options.json != "-") print_now(lab::tuning_text(setup, result));
  keep(setup, result, key);
  return interrupted_at(fmt::format("configuration {}", result.trials.size() + 1));
}

Action declare_tune(Arguments& arguments) {
  const auto options = std::make_shared<TuneOptions>();
  add_data(arguments, options->run, "File or name of a built-in galaxy (default: plummer)");
  add_dataset(arguments, options->run.dataset);
  add_computing(arguments, options->run);
  arguments.group("Measurement");
  arguments.value("--seconds", options->seconds, "Time for the search (default 60)").real_number(0.0);
  arguments
      .value("--error", options->error,
             fmt::format("Largest force error of 99 in 100 bodies: trees within it are tried, too (default "
                         "without trees: {:g}, or twice that of the start if that is larger)",
                         sim::ForceErrorLimits::good_median))
      .real_number(0.0);
  arguments.flag("--under-load", options->under_load,
                 "Remember the result even if other programs use the cores meanwhile");
  arguments.group("Output");
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
    .meaning = "Find the fastest configuration for this machine, and remember it",
    .declare = declare_tune};

}  // namespace orrery::app
