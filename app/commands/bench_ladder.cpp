#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/bench_setup.h"
#include "app/commands/commands.h"
#include "app/display_options.h"
#include "app/ladder_benchmark.h"
#include "app/ladders.h"
#include "sim/error.h"

namespace orrery::app {

namespace {

void refuse_what_ladders_decide(const BenchOptions& options) {
  if (options.kernels)
    throw sim::UsageError("--kernels and --ladder exclude each other: rungs name their kernels");
  if (options.tuned)
    throw sim::UsageError("--tuned and --ladder exclude each other: rungs name their options");
  if (!options.sweep.empty())
    throw sim::UsageError("--sweep and --ladder exclude each other: run one, then the other");
}

}  // namespace

int bench_ladder_command(const BenchOptions& options) {
  refuse_what_ladders_decide(options);
  const auto table = all_options();
  check_ladder_assignments(table, options.run.assignments);
  const auto ladders = find_ladders(table, options.ladder.name, options.ladder.folder);
  check_report(options.json);
  check_report(options.csv);
  const bool table_wanted = options.json != "-" && options.csv != "-";
  auto request = options.ladder;
  request.dataset = options.run.dataset;
  request.assignments = options.run.assignments;

  std::vector<LadderProblem> problems;
  problems.reserve(ladders.size() * sizes_of(options).size());
  for (const auto& ladder : ladders) {
    for (const auto& bodies : sizes_of(options)) {
      request.dataset.bodies = bodies;
      problems.emplace_back(table, ladder, request, ladder.bodies);
    }
  }
  std::vector<LadderResult> results;
  for (auto& problem : problems) {
    const auto& ladder = problem.ladder();
    results.push_back(measure_ladder(table, problem, request.own_steps, [&](const sim::Rung& rung) {
      fmt::print(stderr, "{}: {}\n", ladder.name, rung.name);
    }));
    if (table_wanted) fmt::print("{}\n", ladder_table(results.back()));
  }
  if (table_wanted) {
    fmt::print(
        "x first, x prev: GI/s of whole steps over the first rung and over the one before that ran; "
        "published:\n"
        "the same in the report, its rate, or (over another rung, see --json); limit: of the GPU's FP32 "
        "rate.\n");
  }
  if (!options.json.empty()) write_report(options.json, ladder_json(table, results).dump(2) + "\n");
  if (!options.csv.empty()) write_report(options.csv, ladder_csv(results));
  return 0;
}

}  // namespace orrery::app
