#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "app/bench_setup.h"
#include "app/benchmark.h"
#include "app/commands/argument_groups.h"
#include "app/commands/catalogue.h"
#include "app/tuned.h"
#include "sim/error.h"
#include "sim/tuning/tuner.h"

namespace orrery::app {

namespace {

using nlohmann::json;

struct Options {
  RunOptions run;
  double seconds = 60.0;
  std::optional<double> tolerance;  ///< median force error; default: what the badge calls right
  std::string json;                 ///< a file, "-" for standard output, empty: none
};

/// A careful measurement takes about this long; a first look one step.
constexpr double careful_ms = 200.0;
constexpr int most_steps = 50;
/// Below this the first look is mostly the launch.
constexpr double short_ms = 0.1;

constexpr std::size_t few_bodies = 4096;
/// Rates grow with the number of bodies, but not by this factor.
constexpr double hopeless = 0.02;

/// The first bodies of a scene, as one galaxy.
sim::Scene beginning_of(const sim::Scene& scene) {
  auto few = scene;
  few.bodies = {};
  few.bodies.resize(std::min(few_bodies, scene.bodies.size()));
  const auto copy = [&](auto& to, const auto& from) { std::copy_n(from.begin(), to.size(), to.begin()); };
  copy(few.bodies.position, scene.bodies.position);
  copy(few.bodies.velocity, scene.bodies.velocity);
  copy(few.bodies.mass, scene.bodies.mass);
  copy(few.bodies.charge, scene.bodies.charge);
  return few;
}

/// Measures configurations of one run.
class Stopwatch {
 public:
  explicit Stopwatch(const BenchSetup& setup) : setup_(setup), few_(beginning_of(setup.scene)) {}

  /// What is slower than half of the fastest need not be known precisely, and what is much slower only from
  /// few bodies: some families would take minutes for a step of many.
  BenchmarkRow measure(const sim::Configuration& configuration, double fastest) {
    const auto& name = sim::computing_name(configuration);
    if (fastest > 0.0 && !promising_.contains(name)) {
      auto row = time_configuration(setup_.table, configuration, few_, 1);
      if (row.gips_kernel < hopeless * fastest) return row;
      promising_.insert(name);
    }
    auto row = time_configuration(setup_.table, configuration, setup_.scene, 1);
    if (row.kernel_ms > short_ms && row.gips_kernel < 0.5 * fastest) return row;
    const int steps = std::clamp(static_cast<int>(careful_ms / std::max(row.kernel_ms, 1e-3)), 2, most_steps);
    return time_configuration(setup_.table, configuration, setup_.scene, steps);
  }

 private:
  const BenchSetup& setup_;
  sim::Scene few_;
  std::set<std::string> promising_;  ///< kernels and families that are worth all bodies
};

sim::TuningMeasurement as_measurement(const BenchmarkRow& row) {
  return {.gips = row.gips_kernel, .error_median = row.force_error.median, .error_p99 = row.force_error.p99};
}

std::string name_of(const sim::TuningTrial& trial) {
  return trial.changes.empty() ? "the start" : trial.changes;
}

/// One line of the course.
std::string trial_line(const sim::TuningTrial& trial, double seconds) {
  const auto head = fmt::format("{:7.1f} s", seconds);
  if (!trial.rejected.empty())
    return fmt::format("{} {:>12}  {}: {}\n", head, "-", name_of(trial), trial.rejected);
  return fmt::format("{} {:>12.5g}  {}\n", head, trial.measurement.gips, name_of(trial));
}

TunedResult tuned_result(const BenchSetup& setup, const sim::TuningResult& result, const TunedKey& key) {
  TunedResult tuned{.key = key, .settings = {}, .gips = result.best_gips, .default_gips = result.start_gips};
  for (const auto& name : sim::tunable_options(setup.table, result.best))
    tuned.settings.emplace_back(name, sim::to_string(result.best.value(name)));
  return tuned;
}

json trial_json(const sim::TuningTrial& trial) {
  json entry{{"changes", trial.changes}};
  if (!trial.rejected.empty()) entry["rejected"] = trial.rejected;
  if (trial.measurement.gips > 0.0) {
    entry["gips_kernel"] = trial.measurement.gips;
    entry["force_error_median"] = trial.measurement.error_median;
    entry["force_error_p99"] = trial.measurement.error_p99;
  }
  return entry;
}

json result_json(const BenchSetup& setup, const sim::TuningResult& result, const TunedKey& key) {
  json document{{"version", ORRERY_VERSION},
                {"device", key.device},
                {"engine", key.engine},
                {"bodies", setup.context.bodies},
                {"galaxies", setup.context.galaxies},
                {"start", computing_options(setup.table, setup.configuration)},
                {"best", computing_options(setup.table, result.best)},
                {"changes", sim::differences(setup.table, setup.configuration, result.best)},
                {"gips_kernel", result.best_gips},
                {"gips_kernel_of_start", result.start_gips},
                {"speedup", result.best_gips / result.start_gips},
                {"complete", result.complete},
                {"trials", json::array()}};
  for (const auto& trial : result.trials) document["trials"].push_back(trial_json(trial));
  return document;
}

std::string result_text(const BenchSetup& setup, const sim::TuningResult& result) {
  auto text = fmt::format("{} configurations tried{}\n", result.trials.size(),
                          result.complete ? "" : "; the time was up before the search was at its end");
  if (result.best == setup.configuration)
    return text + fmt::format("nothing is faster than the start: {:.5g} GInteractions/s in the kernel\n",
                              result.start_gips);
  return text + fmt::format(
                    "best: {}\n{:.5g} GInteractions/s in the kernel, {:.2f} times the start's {:.5g}, "
                    "measured side by side\n",
                    sim::differences(setup.table, setup.configuration, result.best), result.best_gips,
                    result.best_gips / result.start_gips, result.start_gips);
}

/// The options that the command line sets stay as they are.
std::vector<std::string> fixed_names(const RunOptions& run) {
  std::vector<std::string> names;
  for (const auto& assignment : run.assignments) names.push_back(assignment.substr(0, assignment.find('=')));
  return names;
}

int tune(const Options& options) {
  check_report(options.json);
  const auto setup = bench_setup(options.run);
  setup.table.check(setup.configuration, setup.context);
  const bool quiet = options.json == "-";
  const auto key = tuned_key(setup.configuration, setup.context);
  fmt::print(stderr, "tuning for {}: up to {:g} s\n", describe(key), options.seconds);
  const auto axes = sim::tuning_axes(setup.table, setup.configuration, fixed_names(options.run));

  Stopwatch stopwatch(setup);
  const auto begin = std::chrono::steady_clock::now();
  const auto measure_one = [&](const sim::Configuration& configuration, double fastest) {
    return as_measurement(stopwatch.measure(configuration, fastest));
  };
  const auto watch = [&](const sim::TuningTrial& trial) {
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
    fmt::print(quiet ? stderr : stdout, "{}", trial_line(trial, elapsed.count()));
    std::fflush(stdout);
  };
  sim::TuningLimits limits{.seconds = options.seconds};
  if (options.tolerance) {
    limits.error_median = *options.tolerance;
    limits.error_p99 = 100.0 * *options.tolerance;
  }
  if (!quiet) fmt::print("{:>9} {:>12}  {}\n", "", "GI/s kernel", "options against the start");
  const auto result =
      sim::tune(setup.table, setup.configuration, setup.context, axes, measure_one, limits, watch);

  if (!options.json.empty()) write_report(options.json, result_json(setup, result, key).dump(2) + "\n");
  if (!quiet) fmt::print("{}", result_text(setup, result));
  remember_tuned(tuned_result(setup, result, key));
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
