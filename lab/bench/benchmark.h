#pragma once

#include <atomic>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/bench/rates.h"
#include "sim/core/interrupt.h"
#include "sim/engines/engine.h"
#include "sim/options/configuration.h"
#include "sim/physics/diagnostics/force_error.h"
#include "sim/scene/scene.h"

namespace orrery::lab {

/// One configuration, timed.
struct BenchmarkRow {
  std::string label;  ///< the kernel's name
  sim::Configuration configuration;
  std::size_t bodies = 0;
  std::size_t galaxies = 0;
  int steps = 0;
  int ranks = 1;           ///< processes that shared the work
  std::string_view split;  ///< division of the work among ranks: "galaxies" or "bodies"; empty for one rank
  double kernel_ms = 0.0;  ///< median of the force evaluations, short ones as docs/measurements.md says
  double kernel_mean_ms = 0.0;       ///< mean over the timed steps, which run one at a time
  double kernel_deviation_ms = 0.0;  ///< standard deviation over the timed steps; 0 for one step
  double sums_share = 0.0;   ///< share of a force evaluation that adds partial sums; 0 if the kernel has none
  double update_ms = 0.0;    ///< time per step of the kernels that move the bodies; 0: not known
  std::size_t map_size = 0;  ///< cells along a side of the activity map that each step counted; 0: none
  double map_ms = 0.0;       ///< median time of one map count; 0: not known
  double step_ms = 0.0;      ///< time per step of back-to-back steps
  double gips_kernel = 0.0;  ///< 1e9 interactions per second of the kernel alone
  double gips_frame = 0.0;   ///< rate of back-to-back steps: forces, updates, and writing vertices on the CPU
  double speedup = 1.0;      ///< kernel time of the first row over this one's
  Factor::Says compared = Factor::Says::unknown;  ///< whether `speedup` says anything
  Spread spread;                                  ///< of the kernel's rate, by its timed steps
  bool busy = false;                              ///< other programs used the cores that computed
  double others = 0.0;                            ///< cores that other programs used, if `busy`
  /// Mean interactions per body in a force evaluation: all pairs, or those that a tree evaluated.
  double interactions_per_body = 0.0;
  sim::ForceError force_error;
  sim::EngineReport report;            ///< report of the engine
  std::uint64_t all_steps = 0;         ///< steps made in all, most of them not timed one by one
  std::optional<double> energy_drift;  ///< (E - E0) / |E0| over all of them; none: not known
  std::string energy_problem;          ///< sim::EnergyWatch::problem() of them; empty: none
  /// Where the forces exceed the errors that the kernel states (sim::statement_problem); empty: nowhere.
  std::string beyond_statement;
  /// The number of the last state that is not finite, or that the accuracy is not the one asked for; empty:
  /// all is well.
  std::string problem;
};

/// Throws sim::Error with the first row's problem, if one has any: after the rows were reported.
void refuse_problems(const std::vector<BenchmarkRow>& rows);

/// Limits and callbacks of a measurement.
struct TimingControl {
  /// Returns the number of steps to time next, after `timed` steps of which the last took `kernel_ms` per
  /// evaluation; 0 ends the measurement. The steps timed last count; if there are none, the warm-up step
  /// does.
  std::function<int(int timed, double kernel_ms)> next;
  /// Called with the number of steps done, the one that warms up included; may be empty.
  std::function<void(int done)> progress = {};
  /// Compares the energy of the first and the last state (BenchmarkRow::energy_drift).
  bool energy = false;
  /// Set by somebody else: the measurement throws sim::Cancelled.
  const std::atomic<bool>* interrupt = sim::interrupt_flag();
};

/// Times `steps` steps in one go.
TimingControl timed_steps(int steps);

/// Times `configuration` on `scene`: one step to warm up, then as `control` says. With several processes all
/// call this and get the same times; only the first knows the force error. `speedup` is left at 1. Throws
/// sim::UsageError if the configuration is refused, sim::Cancelled.
BenchmarkRow time_configuration(const sim::OptionTable& table, const sim::Configuration& configuration,
                                const sim::Scene& scene, const TimingControl& control);

/// The kernel's speed of a row, as it was measured.
MeasuredSpeed measured_speed(const BenchmarkRow& row);
/// Sets `speedup` and `compared` of a row over `first`.
void compare(BenchmarkRow& row, const BenchmarkRow& first);

/// The options that decide what is computed (groups "engine" and "physics"), as JSON.
nlohmann::json computing_options(const sim::OptionTable& table, const sim::Configuration& configuration);
/// The device of the rows: that of the first one.
nlohmann::json device_json(const std::vector<BenchmarkRow>& rows);
/// All of a row.
nlohmann::json row_json(const sim::OptionTable& table, const BenchmarkRow& row);
/// {"device": ..., "rows": [...]}.
nlohmann::json benchmark_json(const sim::OptionTable& table, const std::vector<BenchmarkRow>& rows);
/// A header line and one line per row.
std::string benchmark_csv(const std::vector<BenchmarkRow>& rows);
/// The parts of that: columns, and a row. They end with a line break.
std::string benchmark_csv_head();
std::string benchmark_csv_line(const BenchmarkRow& row);
/// True if a tree computed the row, also by the choice of kernel=auto: its interactions are those that were
/// evaluated.
bool sums_a_tree(const BenchmarkRow& row);
/// The form of the table for people. Its other columns take 106 characters.
struct BenchmarkForm {
  bool maps = false;             ///< some rows, not only the first, have an activity map
  std::size_t label_width = 14;  ///< characters of the longest label
};
/// The row's name in that table.
std::string benchmark_label(const BenchmarkRow& row);
/// The engine and device (as the first of `rows` says) with the heads of the columns, and a row.
std::string benchmark_head(const std::vector<BenchmarkRow>& rows, const BenchmarkForm& form = {});
std::string benchmark_line(const BenchmarkRow& row, const BenchmarkForm& form = {});
/// Notes on what the rates of trees count, which errors they state, what the engine took for each "auto", and
/// how far the energy changed; empty where there is nothing to say.
std::string benchmark_notes(const std::vector<BenchmarkRow>& rows);

}  // namespace orrery::lab
