#include "lab/sweeps/sweep_benchmark.h"

#include <fmt/format.h>

#include "lab/setup/progress_line.h"
#include "sim/core/counted.h"
#include "sim/core/error.h"
#include "sim/ranks/agreement.h"
#include "sim/ranks/world.h"

namespace orrery::lab {

namespace {

/// A cell that fails only when it runs (no such device, a kernel that does not compile) is refused then.
std::optional<BenchmarkRow> measure(const BenchSetup& setup, SweepCell& cell, const TimingControl& control,
                                    bool whole_steps) {
  cell.refusal = sim::first_text(sim::world(), cell.refusal);
  if (!cell.refusal.empty()) return std::nullopt;
  try {
    auto row = time_configuration(setup.table, cell.configuration, setup.scene, control);
    cell.measured = true;
    cell.speed = {whole_steps ? row.gips_frame : row.gips_kernel, row.spread, row.busy};
    return row;
  } catch (const sim::Cancelled&) {
    throw;
  } catch (const sim::Error& error) {
    cell.refusal = error.what();
    return std::nullopt;
  }
}

void measure_cells(const BenchSetup& setup, SweepReport& report, int steps) {
  auto& cells = report.sweep.cells;
  ProgressLine line("sweep");
  const bool whole_steps = report.sweep.of_whole_steps();
  for (auto& cell : cells) {
    const auto show = [&](int step) {
      const double of_cell = static_cast<double>(step) / (steps + 1);
      line.show(fmt::format("combination {} of {}", report.rows.size() + 1, cells.size()),
                (static_cast<double>(report.rows.size()) + of_cell) / static_cast<double>(cells.size()));
    };
    auto control = timed_steps(steps);
    control.progress = [&](int step) {
      if (line.due()) show(step);
    };
    show(0);
    report.rows.push_back(measure(setup, cell, control, whole_steps));
  }
}

/// The rest of a sweep that was interrupted.
void give_up_rest(SweepReport& report) {
  auto& cells = report.sweep.cells;
  report.reached = report.rows.size();
  report.rows.resize(cells.size());
  for (std::size_t k = report.reached; k < cells.size(); ++k)
    if (cells[k].refusal.empty()) cells[k].refusal = "interrupted before it was measured";
}

}  // namespace

SweepReport measure_sweep(const BenchSetup& setup, Sweep sweep, int steps) {
  SweepReport report{.sweep = std::move(sweep), .rows = {}};
  fmt::print(stderr, "{} in {} of {}, {}, {} each after one to warm up\n",
             sim::counted(setup.context.bodies, "body", "bodies"),
             sim::counted(setup.context.galaxies, "galaxy", "galaxies"), setup.scene.title,
             sim::counted(report.sweep.cells.size(), "combination", "combinations"),
             sim::counted(steps, "step", "steps"));
  try {
    measure_cells(setup, report, steps);
    report.reached = report.sweep.cells.size();
  } catch (const sim::Cancelled&) {
    give_up_rest(report);
  }
  return report;
}

}  // namespace orrery::lab
