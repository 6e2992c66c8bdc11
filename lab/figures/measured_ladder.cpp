#include "lab/figures/measured_ladder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "lab/figures/saved.h"
#include "lab/ladders/ladder_announcer.h"
#include "lab/ladders/ladder_benchmark.h"
#include "lab/ladders/ladders.h"
#include "sim/core/error.h"
#include "sim/core/interrupt.h"
#include "sim/core/spelling.h"

namespace orrery::lab {

namespace {

[[noreturn]] void refuse_rung(const std::string& name, const std::vector<std::string>& names) {
  throw sim::UsageError(fmt::format("the ladder has no rung '{}'{}; it has {}", name,
                                    sim::did_you_mean(name, names), fmt::join(names, ", ")));
}

/// Leaves the rungs of those names, in the ladder's order: speed-ups are over the first of them.
void keep_rungs(Ladder& ladder, const std::vector<std::string>& names) {
  if (names.empty()) return;
  std::vector<std::string> known;
  for (const auto& rung : ladder.rungs) known.push_back(rung.name);
  for (const auto& name : names)
    if (std::ranges::find(known, name) == known.end()) refuse_rung(name, known);
  std::erase_if(ladder.rungs,
                [&](const Rung& rung) { return std::ranges::find(names, rung.name) == names.end(); });
}

std::vector<LadderProblem> problems_of(const sim::OptionTable& table, const FigureRequest& request,
                                       Ladder ladder) {
  keep_rungs(ladder, request.rungs);
  LadderRequest wanted{.dataset = request.dataset,
                       .own_galaxies = request.own_galaxies,
                       .own_steps = request.steps,
                       .assignments = request.assignments};
  std::vector<LadderProblem> problems;
  if (request.sizes.empty()) problems.emplace_back(table, ladder, wanted, ladder.bodies);
  for (const auto bodies : request.sizes) {
    wanted.dataset.bodies = bodies;
    problems.emplace_back(table, ladder, wanted, bodies);
  }
  return problems;
}

std::string names_of(const nlohmann::json& ladders) {
  std::vector<std::string> names;
  for (const auto& each : ladders) {
    auto name = text_in(each, "name");
    if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

bool is_wanted(const nlohmann::json& ladder, const std::string& name, const std::vector<std::size_t>& sizes) {
  const auto bodies = static_cast<std::size_t>(number_in(ladder, "bodies"));
  return (name.empty() || text_in(ladder, "name") == name) &&
         (sizes.empty() || std::ranges::find(sizes, bodies) != sizes.end());
}

}  // namespace

nlohmann::json measure_ladders(const sim::OptionTable& table, const FigureRequest& request,
                               const std::string& name) {
  check_ladder_assignments(table, request.assignments);
  auto problems = problems_of(table, request, find_ladders(table, name, request.ladders).front());
  LadderAnnouncer announcer("plot", problems);
  std::vector<LadderResult> results;
  for (auto& problem : problems) {
    if (sim::interrupted()) break;
    results.push_back(measure_ladder(table, problem, request.steps, announcer.watch(problem.ladder())));
    announcer.finished(problem.ladder());
  }
  return ladder_json(table, results);
}

std::vector<const nlohmann::json*> results_of(const nlohmann::json& document, const FigureRequest& request) {
  const auto& name = request.ladder.empty() ? request.subject : request.ladder;
  const auto& ladders = document.at("ladders");
  std::vector<const nlohmann::json*> results;
  for (const auto& each : ladders)
    if (is_wanted(each, name, request.sizes)) results.push_back(&each);
  if (results.empty())
    throw sim::Error(fmt::format("no such ladder was saved; there are: {}", names_of(ladders)));
  for (const auto* each : results)
    if (text_in(*each, "name") != text_in(*results.front(), "name"))
      throw sim::Error(fmt::format("several ladders were saved; name one: {}", names_of(ladders)));
  return results;
}

const nlohmann::json& one_ladder(const nlohmann::json& document, const FigureRequest& request) {
  const auto results = results_of(document, request);
  if (results.size() > 1)
    throw sim::Error(
        "the ladder was saved with several numbers of bodies; choose one with --bodies, or draw them all "
        "with "
        "plot scaling");
  return *results.front();
}

std::vector<const nlohmann::json*> chosen_rungs(const nlohmann::json& ladder,
                                                const std::vector<std::string>& names) {
  std::vector<const nlohmann::json*> all, chosen;
  std::vector<std::string> known;
  for (const auto& rung : ladder.at("rungs")) {
    all.push_back(&rung);
    known.push_back(text_in(rung, "name"));
  }
  for (const auto& name : names) {
    const auto found = std::ranges::find(known, name);
    if (found == known.end()) refuse_rung(name, known);
    chosen.push_back(all[static_cast<std::size_t>(found - known.begin())]);
  }
  return names.empty() ? all : chosen;
}

}  // namespace orrery::lab
