#include "lab/tuning/tuning_benchmark.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "lab/bench/benchmark.h"
#include "lab/bench/rates.h"
#include "sim/core/counted.h"
#include "sim/simulation/approximate_kernels.h"

namespace orrery::lab {

using nlohmann::json;

namespace {

std::string name_of(const TuningTrial& trial) { return trial.changes.empty() ? "the start" : trial.changes; }

json trial_json(const TuningTrial& trial) {
  json entry{{"changes", trial.changes}};
  if (!trial.rejected.empty()) entry["rejected"] = trial.rejected;
  if (trial.measurement.gips > 0.0) {
    entry["gips_kernel"] = trial.measurement.gips;
    entry["force_error_median"] = trial.measurement.error_median;
    entry["force_error_p99"] = trial.measurement.error_p99;
  }
  return entry;
}

std::string best_text(const BenchSetup& setup, const TuningResult& result) {
  if (result.best == setup.configuration)
    return fmt::format(
        "nothing is faster than the start: {} GInteractions/s in the kernel{}\n",
        rate_text(result.start_gips),
        result.no_difference ? "; what looked faster shows no difference, measured in turns" : "");
  const auto best = fmt::format("best: {}\n{} GInteractions/s in the kernel",
                                sim::differences(setup.table, setup.configuration, result.best),
                                rate_text(result.best_gips));
  if (result.start_gips <= 0.0) return best + "; the start is not right enough\n";
  return best + fmt::format(", {:.2f} times the start's {}\n", result.best_gips / result.start_gips,
                            rate_text(result.start_gips));
}

}  // namespace

std::string tuning_heading() {
  return fmt::format("{:>9} {:>12} {:>9}  {}", "", "GI/s kernel", "error p99", "options against the start");
}

std::string tuning_line(const TuningTrial& trial, double seconds) {
  const auto head = fmt::format("{:7.1f} s", seconds);
  if (trial.rejected.empty())
    return fmt::format("{} {:>12} {:>9.1e}  {}", head, rate_text(trial.measurement.gips),
                       trial.measurement.error_p99, name_of(trial));
  return fmt::format("{} {:>12} {:>9}  {}: {}", head, "-", "-", name_of(trial), trial.rejected);
}

std::string tuning_text(const BenchSetup& setup, const TuningResult& result) {
  const auto tried = sim::counted(result.trials.size(), "configuration", "configurations") + " tried; ";
  if (!result.nothing.empty()) return tried + result.nothing + "\n";
  const char* ending = result.complete      ? "nothing better is near"
                       : result.interrupted ? "interrupted"
                                            : "the time was up before the search was at its end";
  const auto text = tried + ending + "\n";
  return text + best_text(setup, result) +
         fmt::format("its force error: median {:.1e}, 99th percentile {:.1e} (at most {:.1e} is taken)\n",
                     result.error_median, result.error_p99, result.error_limit);
}

json tuning_json(const BenchSetup& setup, const TuningResult& result, const TunedKey& key) {
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
                {"speedup", result.start_gips > 0.0 ? json(result.best_gips / result.start_gips) : json()},
                {"force_error_median", result.error_median},
                {"force_error_p99", result.error_p99},
                {"force_error_limit", result.error_limit},
                {"no_difference", result.no_difference},
                {"complete", result.complete},
                {"interrupted", result.interrupted},
                {"remembered", result.nothing.empty()},
                {"trials", json::array()}};
  for (const auto& trial : result.trials) document["trials"].push_back(trial_json(trial));
  return document;
}

TunedResult tuned_result(const BenchSetup& setup, const TuningResult& result, const TunedKey& key) {
  TunedResult tuned{.key = key, .settings = {}, .gips = result.best_gips, .default_gips = result.start_gips};
  for (const auto& name : tunable_options(setup.table, result.best))
    tuned.settings.emplace_back(name, sim::to_string(result.best.value(name)));
  if (sim::uses_tree(result.best))
    tuned.settings.emplace_back("accuracy", sim::to_string(result.best.value("accuracy")));
  return tuned;
}

}  // namespace orrery::lab
