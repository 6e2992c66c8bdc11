#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "lab/bench/benchmark.h"
#include "lab/ladders/ladder_problem.h"

namespace orrery::lab {

/// One rung of a ladder: measured, or why not.
struct LadderRow {
  Rung rung;
  std::string reason;  ///< not empty: it was not measured, and why
  std::optional<BenchmarkRow> measured;
  /// Ordered pairs of bodies in a step, also for kernels such as trees that do not sum them all.
  double pairs = 0.0;
  /// Ratios of pairs over the time of whole steps, as the reports time them; 0: there is nothing to compare
  /// with.
  double speedup_first = 0.0;     ///< over the first rung of the ladder that ran
  double speedup_previous = 0.0;  ///< over the last rung before that ran
  /// The published figure with the number of bodies nearest to the ladder's.
  std::optional<PublishedFigure> published;
  double published_speedup = 0.0;  ///< over the ladder's first rung; 0: the report's numbers do not give it
};

/// A ladder, measured.
struct LadderResult {
  Ladder ladder;
  std::size_t bodies = 0;  ///< requested bodies per galaxy; a row may have fewer
  std::size_t galaxies = 1;
  std::vector<LadderRow> rows;
};

/// Callbacks while a ladder is climbed. All are set.
struct RungWatch {
  /// The rung of that index is about to be measured.
  std::function<void(const Rung& rung, std::size_t index)> begins;
  /// The rung has made `done` of `steps` steps, the warm-up step included.
  std::function<void(const Rung& rung, std::size_t index, int done, int steps)> stepped;
};

/// Measures every rung. One that fails is a row with the reason; the others go on.
///
/// Without own steps: GPU rungs run for 0.2 s, at least 5 steps; CPU rungs at most 5 steps, and where two
/// evaluations would take more than 20 s, with as many fewer bodies as it takes. Rates can still be compared:
/// speed-ups are ratios of rates. `watch` is told what happens. When a person interrupts
/// (sim::interrupted), the rest are rows with that reason.
LadderResult measure_ladder(const sim::OptionTable& table, LadderProblem& problem,
                            std::optional<int> own_steps, const RungWatch& watch);

/// The published figure that a measurement with that many bodies is compared with: one with the nearest size
/// of the activity map, then a plain one before one with a remark, then the nearest number of bodies. `map`:
/// cells along a side. Empty if the rung has none.
std::optional<PublishedFigure> figure_near(const Rung& rung, std::size_t bodies, std::size_t map = 0);
/// The device memory that the report states for the rung, of all that it allocated (no remark), with the
/// nearest number of bodies; nullptr if it says nothing.
const PublishedFigure* published_memory(const Rung& rung, std::size_t bodies);
/// The report's own speed-up of the rung over the ladder's first rung, at the figure's number of bodies; 0 if
/// the report does not give it.
double published_speedup(const Ladder& ladder, const PublishedFigure& figure);

/// {"version", "device", "ladders": [{..., "rungs": [...]}]}: every rung, measured or not.
nlohmann::json ladder_json(const sim::OptionTable& table, const std::vector<LadderResult>& results);
/// A header line and a line a rung.
std::string ladder_csv(const std::vector<LadderResult>& results);
/// One ladder for people.
std::string ladder_table(const LadderResult& result);
}  // namespace orrery::lab
