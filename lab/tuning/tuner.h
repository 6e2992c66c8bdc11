#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "lab/sweeps/sweep.h"

namespace orrery::lab {

/// What one measurement gives.
struct TuningMeasurement {
  double gips = 0.0;          ///< of the kernel, 1e9 interactions per second
  double error_median = 0.0;  ///< relative force error against double precision
  double error_p99 = 0.0;
};

/// Measures a configuration. `fastest` is the best rate so far (0: none, or measure with care): what is far
/// from it need not be measured precisely. Throws Error if the configuration cannot run after all.
using MeasureFunction =
    std::function<TuningMeasurement(const sim::Configuration& configuration, double fastest)>;

/// One configuration that was tried.
struct TuningTrial {
  sim::Configuration configuration;
  std::string changes;  ///< against the start: "tile=512, unroll=8"; empty: the start itself
  TuningMeasurement measurement;
  std::string rejected;  ///< not empty: thrown out, and why
};

/// What bounds a search.
struct TuningLimits {
  double seconds = 60.0;  ///< the measurement under way at the end is finished
  /// Largest force errors. A start that is worse itself (softening 0, say) sets them to twice its own.
  double error_median = 1e-5;
  double error_p99 = 1e-3;
  std::function<double()> clock;  ///< seconds, rising; empty: the steady clock
};

/// The outcome of a search. `best` is never slower than the start: both were measured side by side at the
/// end.
struct TuningResult {
  sim::Configuration best;
  double start_gips = 0.0;  ///< of the measurements side by side
  double best_gips = 0.0;
  std::vector<TuningTrial> trials;  ///< in order
  bool complete = false;            ///< false: the time was up before nothing better was near
};

/// The options that decide speed but not the answer, for the engine that `start` asks for, in the order in
/// which they are tried, with their values. The first (kernel or family) is where searches start from.
/// Left out: precision, physics, device, transfers between host and GPU, and the names in `fixed`.
std::vector<SweepAxis> tuning_axes(const sim::OptionTable& table, const sim::Configuration& start,
                                   const std::vector<std::string>& fixed = {});

/// The names that `tuning_axes` may vary, of the engine that `configuration` asks for: those with a rank.
std::vector<std::string> tunable_options(const sim::OptionTable& table,
                                         const sim::Configuration& configuration);

/// Looks for the fastest configuration: measures every value of the first axis, then goes down from the best
/// three of them one option at a time (coordinate descent), each until a round over all options brings
/// nothing. What amounts to the same is measured once, refused combinations are skipped, wrong answers thrown
/// out. The best three and the start are then measured again, in turns. `watch` sees every trial. Throws what
/// measuring the start throws.
TuningResult tune(const sim::OptionTable& table, const sim::Configuration& start,
                  const sim::OptionContext& context, const std::vector<SweepAxis>& axes,
                  const MeasureFunction& measure, const TuningLimits& limits,
                  const std::function<void(const TuningTrial&)>& watch = {});

/// The options that apply in `configuration` and differ from `start`: "tile=512, unroll=8".
std::string differences(const sim::OptionTable& table, const sim::Configuration& start,
                        const sim::Configuration& configuration);

}  // namespace orrery::lab
