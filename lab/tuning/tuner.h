#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lab/bench/rates.h"
#include "lab/sweeps/sweep.h"
#include "sim/core/error.h"
#include "sim/simulation/monitor.h"

namespace orrery::lab {

/// The result of one measurement.
struct TuningMeasurement {
  double gips = 0.0;          ///< kernel rate, 1e9 interactions per second
  double error_median = 0.0;  ///< relative force error against double precision
  double error_p99 = 0.0;
  Spread spread = {};  ///< of `gips`
  bool busy = false;   ///< other programs used the cores that computed
};

/// Precision and time limit of a measurement.
struct TuningEffort {
  /// The best rate so far; 0: none, or measure with care. What is far from it need not be known precisely.
  double fastest = 0.0;
  double seconds = 0.0;  ///< the measurement ends before, with TooSlow if there is nothing to show by then
};

/// A measurement that would take longer than there is time for.
class TooSlow : public sim::Error {
 public:
  using sim::Error::Error;
};

/// Measures a configuration. Throws Error if it cannot run after all, TooSlow, and Cancelled when a person
/// interrupts.
using MeasureFunction =
    std::function<TuningMeasurement(const sim::Configuration& configuration, const TuningEffort& effort)>;

/// One configuration that was tried.
struct TuningTrial {
  sim::Configuration configuration;
  std::string changes;  ///< against the start: "tile=512, unroll=8"; empty: the start itself
  TuningMeasurement measurement;
  std::string rejected;  ///< not empty: thrown out, and why
};

/// The limits of a search.
struct TuningLimits {
  double seconds = 60.0;  ///< duration of the whole search; 0: nothing is measured
  /// Largest force error of 99 in 100 bodies: that which the badge calls good for half of them. A start that
  /// is worse itself (softening 0, say) sets it to twice its own, unless it is strict.
  double error = sim::ForceErrorLimits::good_median;
  bool strict = false;
  bool under_load = false;        ///< what was measured while other programs used the cores counts as well
  std::function<double()> clock;  ///< seconds, rising; empty: the steady clock
};

/// The outcome of a search. `best` is never slower than the start: both were measured side by side at the
/// end, where there was time for that.
struct TuningResult {
  sim::Configuration best;
  /// Rate at the start, from the final alternating measurement, else from the search; 0: not known.
  double start_gips = 0.0;
  double best_gips = 0.0;
  double error_median = 0.0;  ///< force error of `best`
  double error_p99 = 0.0;
  double error_limit = 0.0;         ///< limit of the 99th percentile
  std::vector<TuningTrial> trials;  ///< trials in the order in which they ran
  bool complete = false;            ///< false: it ended before nothing better was near
  bool interrupted = false;         ///< true if a person interrupted it
  bool no_difference = false;       ///< what looked faster does not differ from the start, which is `best`
  std::string nothing;              ///< not empty: it found nothing that is worth remembering, and why
};

/// The options that decide speed but not the answer, for the engine that `start` asks for, in the order in
/// which they are tried, with their values, those that are usually fast first. The first (kernel or family)
/// is where searches start from. Left out: precision, physics, device, transfers between host and GPU, the
/// names in `fixed`, and kernels that leave something out, unless `error` says how much they may: the largest
/// error of 99 in 100 bodies. Then `accuracy` is searched too.
std::vector<SweepAxis> tuning_axes(const sim::OptionTable& table, const sim::Configuration& start,
                                   const std::vector<std::string>& fixed = {},
                                   std::optional<double> error = std::nullopt);

/// The names that `tuning_axes` may vary, of the engine that `configuration` asks for: those with a rank.
std::vector<std::string> tunable_options(const sim::OptionTable& table,
                                         const sim::Configuration& configuration);

/// Looks for the fastest configuration: measures every value of the first axis, then goes down from the best
/// three of them one option at a time (coordinate descent), each until a round over all options brings
/// nothing. What amounts to the same is measured once, refused combinations are skipped, wrong answers thrown
/// out. The best three and the start are then measured again, in turns. What probably would not end in time
/// is not begun. `watch` sees every trial. Throws what measuring the start throws, but TooSlow and Cancelled:
/// these end the search with what it has.
TuningResult tune(const sim::OptionTable& table, const sim::Configuration& start,
                  const sim::OptionContext& context, const std::vector<SweepAxis>& axes,
                  const MeasureFunction& measure, const TuningLimits& limits,
                  const std::function<void(const TuningTrial&)>& watch = {});

}  // namespace orrery::lab
