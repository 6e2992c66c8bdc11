#include <fmt/format.h>

#include <algorithm>

#include "lab/bench/roofline.h"
#include "lab/ladders/ladder_benchmark.h"
#include "sim/core/counted.h"

namespace orrery::lab {

namespace {

std::string dataset_text(const LadderResult& result) {
  const auto bodies = sim::counted(result.bodies, "body", "bodies");
  return result.galaxies > 1 ? fmt::format("{} galaxies of {}", result.galaxies, bodies) : bodies;
}

/// True if the results are of one ladder with different numbers of bodies.
bool one_ladder(const std::vector<LadderResult>& results) {
  return std::ranges::all_of(
      results, [&](const auto& result) { return result.ladder.name == results.front().ladder.name; });
}

/// Rungs under their names; of several ladders with the ladder's, of several sizes with the bodies.
std::string figure_label(const std::vector<LadderResult>& results, const LadderResult& result,
                         const Rung& rung) {
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

}  // namespace

Roofline ladder_roofline(const std::vector<LadderResult>& results) {
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

}  // namespace orrery::lab
