#include "lab/tuning/tuning_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "lab/bench/benchmark.h"
#include "sim/core/counted.h"

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

}  // namespace

std::string tuning_line(const TuningTrial& trial, double seconds) {
  const auto head = fmt::format("{:7.1f} s", seconds);
  if (!trial.rejected.empty())
    return fmt::format("{} {:>12}  {}: {}\n", head, "-", name_of(trial), trial.rejected);
  return fmt::format("{} {:>12.5g}  {}\n", head, trial.measurement.gips, name_of(trial));
}

std::string tuning_text(const BenchSetup& setup, const TuningResult& result) {
  auto text =
      fmt::format("{} tried{}\n", sim::counted(result.trials.size(), "configuration", "configurations"),
                  result.complete ? "" : "; the time was up before the search was at its end");
  if (result.best == setup.configuration)
    return text + fmt::format("nothing is faster than the start: {:.5g} GInteractions/s in the kernel\n",
                              result.start_gips);
  return text + fmt::format(
                    "best: {}\n{:.5g} GInteractions/s in the kernel, {:.2f} times the start's {:.5g}, "
                    "measured side by side\n",
                    differences(setup.table, setup.configuration, result.best), result.best_gips,
                    result.best_gips / result.start_gips, result.start_gips);
}

json tuning_json(const BenchSetup& setup, const TuningResult& result, const TunedKey& key) {
  json document{{"version", ORRERY_VERSION},
                {"device", key.device},
                {"engine", key.engine},
                {"bodies", setup.context.bodies},
                {"galaxies", setup.context.galaxies},
                {"start", computing_options(setup.table, setup.configuration)},
                {"best", computing_options(setup.table, result.best)},
                {"changes", differences(setup.table, setup.configuration, result.best)},
                {"gips_kernel", result.best_gips},
                {"gips_kernel_of_start", result.start_gips},
                {"speedup", result.best_gips / result.start_gips},
                {"complete", result.complete},
                {"trials", json::array()}};
  for (const auto& trial : result.trials) document["trials"].push_back(trial_json(trial));
  return document;
}

TunedResult tuned_result(const BenchSetup& setup, const TuningResult& result, const TunedKey& key) {
  TunedResult tuned{.key = key, .settings = {}, .gips = result.best_gips, .default_gips = result.start_gips};
  for (const auto& name : tunable_options(setup.table, result.best))
    tuned.settings.emplace_back(name, sim::to_string(result.best.value(name)));
  return tuned;
}

}  // namespace orrery::lab
