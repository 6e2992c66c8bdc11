#include "lab/bench/bench_setup.h"

#include <fmt/format.h>

#include "lab/bench/tuned.h"
#include "lab/setup/starting_options.h"
#include "lab/setup/watched.h"
#include "sim/core/error.h"
#include "sim/core/file_writer.h"
#include "sim/core/json_text.h"
#include "sim/ranks/world.h"

namespace orrery::lab {

namespace {

/// The one that writes files and standard output.
bool is_writer() { return sim::world().rank() == 0; }

}  // namespace

BenchSetup bench_setup(sim::OptionTable table, const DatasetRequest& dataset,
                       const std::vector<std::string>& assignments) {
  auto trial = table.defaults();
  assign_all(table, trial, assignments);
  auto request = dataset;
  if (request.source.empty()) request.source = "plummer";
  auto scene = load_watched(request);
  report_notes(request, scene, assignments);
  auto configuration = table.defaults();
  apply_scene(configuration, scene, assignments);
  apply_assignments(table, configuration, assignments);
  report_time_step(configuration, scene, assignments);
  report_idle_gpu(configuration, assignments);
  const auto context = option_context(scene);
  return {.table = std::move(table),
          .configuration = std::move(configuration),
          .context = context,
          .scene = std::move(scene)};
}

void use_tuned(BenchSetup& setup, const std::vector<std::string>& assignments) {
  if (sim::world().size() > 1)
    throw sim::UsageError("--tuned starts from what was found for one process; start it without mpirun");
  std::string problem;
  const auto results = read_tuned(problem);
  if (!problem.empty()) fmt::print(stderr, "{}\n", problem);
  const auto line = apply_tuned(setup.table, setup.configuration, results, setup.context, assignments);
  if (line.empty()) {
    throw sim::Error(fmt::format("nothing is remembered for {} with these options; run `orrery tune` first",
                                 describe(tuned_key(setup.configuration, setup.context))));
  }
  fmt::print(stderr, "{}\n", line);
}

void check_report(const std::string& where) {
  if (is_writer() && !where.empty() && where != "-") const sim::FileWriter trial(where);
}

void write_report(const std::string& where, const std::string& text) {
  if (!is_writer()) return;
  if (where == "-") {
    fmt::print("{}", text);
    return;
  }
  sim::write_file(where, text);
}

void write_report(const std::string& where, const nlohmann::json& document) {
  write_report(where, sim::dump_json(document, 2) + "\n");
}

}  // namespace orrery::lab
