#include "lab/figures/saved_ladder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "lab/figures/saved.h"
#include "sim/core/error.h"
#include "sim/core/spelling.h"

namespace orrery::lab {

namespace {

[[noreturn]] void refuse_rung(const std::string& name, const std::vector<std::string>& names) {
  throw sim::UsageError(fmt::format("the ladder has no rung '{}'{}; it has {}", name,
                                    sim::did_you_mean(name, names), fmt::join(names, ", ")));
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

std::vector<const nlohmann::json*> results_of(const nlohmann::json& document, const FigureRequest& request) {
  const auto& name = request.ladder;
  const auto& ladders = document.at("ladders");
  std::vector<const nlohmann::json*> results;
  for (const auto& each : ladders)
    if (is_wanted(each, name, request.sizes)) results.push_back(&each);
  if (results.empty())
    throw sim::Error(fmt::format("no such ladder was saved; there are: {}", names_of(ladders)));
  for (const auto* each : results)
    if (text_in(*each, "name") != text_in(*results.front(), "name"))
      throw sim::Error(
          fmt::format("several ladders were saved; choose one with --ladder: {}", names_of(ladders)));
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
