#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "app/bench_setup.h"
#include "app/commands/commands.h"
#include "app/display_options.h"
#include "app/sweep_report.h"
#include "sim/error.h"
#include "sim/ranks/agreement.h"
#include "sim/ranks/world.h"

namespace orrery::app {

namespace {

/// A cell that fails only when it runs (no such device, a kernel that does not compile) is refused then.
std::optional<BenchmarkRow> measure(const BenchSetup& setup, sim::SweepCell& cell, int steps) {
  cell.refusal = sim::first_text(sim::world(), cell.refusal);
  if (!cell.refusal.empty()) return std::nullopt;
  try {
    auto row = time_configuration(setup.table, cell.configuration, setup.scene, steps);
    cell.measured = true;
    cell.gips = row.gips_kernel;
    return row;
  } catch (const sim::Error& error) {
    cell.refusal = error.what();
    return std::nullopt;
  }
}

/// Says now and then how far it is.
class Progress {
 public:
  void show(std::size_t done, std::size_t all) {
    if (Clock::now() < next_) return;
    next_ = Clock::now() + std::chrono::seconds(2);
    fmt::print(stderr, "combination {} of {}\n", done, all);
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point next_ = Clock::now() + std::chrono::seconds(2);
};

}  // namespace

int sweep_command(const BenchOptions& options) {
  if (options.kernels)
    throw sim::UsageError("--kernels and --sweep exclude each other; write --sweep kernel=A:B");
  // Wrong names are found before anything is made or computed.
  const auto table = all_options();
  auto trial = table.defaults();
  apply_assignments(table, trial, options.run.assignments);
  sim::parse_sweep(table, options.sweep, trial);
  check_report(options.json);
  check_report(options.csv);
  auto setup = bench_setup(options.run);
  if (options.tuned) use_tuned(setup, options.run);
  SweepReport report{
      .sweep = sim::make_sweep(setup.table, sim::parse_sweep(setup.table, options.sweep, setup.configuration),
                               setup.configuration, setup.context),
      .rows = {}};
  auto& cells = report.sweep.cells;
  fmt::print(stderr, "{} bodies in {} galaxies of {}, {} combinations, {} steps each after one to warm up\n",
             setup.context.bodies, setup.context.galaxies, setup.scene.title, cells.size(), options.steps);
  Progress progress;
  for (auto& cell : cells) {
    report.rows.push_back(measure(setup, cell, options.steps));
    progress.show(report.rows.size(), cells.size());
  }
  if (!options.json.empty()) write_report(options.json, sweep_json(setup.table, report).dump(2) + "\n");
  if (!options.csv.empty()) write_report(options.csv, sweep_csv(report));
  if (options.json != "-" && options.csv != "-") fmt::print("{}", sweep_table(report));
  if (report.sweep.best() == nullptr)
    throw sim::Error("every combination is refused: " + report.sweep.reasons().front().first);
  return 0;
}

}  // namespace orrery::app
