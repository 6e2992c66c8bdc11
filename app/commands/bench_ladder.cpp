#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/bench_setup.h"
#include "app/commands/commands.h"
#include "app/display_options.h"
#include "app/ladder_benchmark.h"
#include "app/ladders.h"
#include "app/roofline_figure.h"
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

/// Before anything is measured.
void check_ladder_figure(const std::filesystem::path& path, const std::vector<LadderProblem>& problems) {
  if (path.empty()) return;
  const auto runs_on_gpu = [](const LadderProblem& problem) {
    return std::ranges::any_of(problem.ladder().rungs, [&](const sim::Rung& rung) {
      return problem.refusal(rung).empty() && problem.configuration(rung, {}).choice("engine") == "cuda";
    });
  };
  if (std::ranges::none_of(problems, runs_on_gpu))
    throw sim::UsageError(
        "--figure shows kernels of a GPU, and no rung of the ladder can run on one here; leave --figure out, "
        "or use a machine that has a GPU");
  check_figure(path);
}

std::string dataset_text(const LadderResult& result) {
  const auto bodies = fmt::format("{} bodies", result.bodies);
  return result.galaxies > 1 ? fmt::format("{} galaxies of {}", result.galaxies, bodies) : bodies;
}

/// True if the results are of one ladder with different numbers of bodies.
bool one_ladder(const std::vector<LadderResult>& results) {
  return std::ranges::all_of(
      results, [&](const auto& result) { return result.ladder.name == results.front().ladder.name; });
}

/// Rungs under their names; of several ladders with the ladder's, of several sizes with the bodies.
std::string figure_label(const std::vector<LadderResult>& results, const LadderResult& result,
                         const sim::Rung& rung) {
  if (results.size() < 2) return rung.name;
  return one_ladder(results) ? fmt::format("{} {}", rung.name, result.bodies)
                             : result.ladder.name + " " + rung.name;
}

std::string figure_title(const std::vector<LadderResult>& results) {
  const auto& first = results.front();
  if (!one_ladder(results)) return fmt::format("rungs of {} ladders", results.size());
  auto text = fmt::format("ladder {}", first.ladder.name);
  for (const auto& result : results) text += ", " + dataset_text(result);
  return text;
}

Roofline roofline_of(const std::vector<LadderResult>& results) {
  std::vector<BenchmarkRow> rows;
  for (const auto& result : results) {
    for (const auto& row : result.rows) {
      if (!row.measured) continue;
      rows.push_back(*row.measured);
      rows.back().label = figure_label(results, result, row.rung);
    }
  }
  return roofline_of(rows, figure_title(results));
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
  check_ladder_figure(options.figure, problems);
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
        "rate\n"
        "with 13 slots an interaction; slots: those that the compiled kernel takes; issue, spec: of the "
        "limits "
        "that\nfollow for instructions and special functions.\n");
  }
  if (!options.json.empty()) write_report(options.json, ladder_json(table, results).dump(2) + "\n");
  if (!options.csv.empty()) write_report(options.csv, ladder_csv(results));
  if (!options.figure.empty()) write_figure(options.figure, roofline_of(results));
  return 0;
}

}  // namespace orrery::app
