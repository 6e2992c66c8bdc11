#include "lab/sweeps/sweep_benchmark.h"

#include <fmt/format.h>

#include <chrono>

#include "sim/core/counted.h"
#include "sim/core/error.h"
#include "sim/ranks/agreement.h"
#include "sim/ranks/world.h"

namespace orrery::lab {

namespace {

/// A cell that fails only when it runs (no such device, a kernel that does not compile) is refused then.
std::optional<BenchmarkRow> measure(const BenchSetup& setup, SweepCell& cell, int steps) {
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

SweepReport measure_sweep(const BenchSetup& setup, std::vector<SweepAxis> axes, int steps) {
  SweepReport report{.sweep = make_sweep(setup.table, std::move(axes), setup.configuration, setup.context),
                     .rows = {}};
  auto& cells = report.sweep.cells;
  fmt::print(stderr, "{} in {} of {}, {}, {} each after one to warm up\n",
             sim::counted(setup.context.bodies, "body", "bodies"),
             sim::counted(setup.context.galaxies, "galaxy", "galaxies"), setup.scene.title,
             sim::counted(cells.size(), "combination", "combinations"), sim::counted(steps, "step", "steps"));
  Progress progress;
  for (auto& cell : cells) {
    report.rows.push_back(measure(setup, cell, steps));
    progress.show(report.rows.size(), cells.size());
  }
  return report;
}

}  // namespace orrery::lab
