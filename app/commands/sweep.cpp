#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "app/commands/argument_groups.h"
#include "app/commands/catalogue.h"
#include "app/picture/display_options.h"
#include "app/run/interruption.h"
#include "app/run/kernel_folder.h"
#include "app/session/idle_assignments.h"
#include "lab/bench/bench_setup.h"
#include "lab/setup/free_option.h"
#include "lab/sweeps/sweep_benchmark.h"
#include "sim/core/error.h"

namespace orrery::app {

namespace {

struct SweepOptions {
  std::string axes;  ///< "tile,unroll" or "tile=64:128,unroll=1:8"
  RunOptions run;
  int steps = 5;
  bool tuned = false;  ///< start from what `orrery tune` remembered
  std::string json;    ///< a file, "-" for standard output, empty: none
  std::string csv;
};

/// Wrong names are found before anything is made or computed.
void check_sweep(const SweepOptions& options) {
  check_one_output(options.json, options.csv);
  read_kernels_from(options.run.kernel_folder);
  const auto table = all_options();
  auto trial = table.defaults();
  lab::apply_assignments(table, trial, options.run.assignments);
  lab::parse_sweep(table, options.axes, trial);
  lab::check_report(options.json);
  lab::check_report(options.csv);
}

/// Names assignments that no combination uses. The report says it of the axes themselves.
void report_idle(const SweepOptions& options, const lab::BenchSetup& setup,
                 const std::vector<lab::SweepAxis>& axes, const lab::Sweep& sweep) {
  auto assignments = options.run.assignments;
  for (const auto& axis : axes)
    std::erase_if(assignments, [&](const std::string& each) { return lab::chooses(each, axis.option); });
  std::vector<sim::Configuration> used;
  for (const auto& cell : sweep.cells) used.push_back(cell.configuration);
  report_idle_assignments(setup.table, assignments, used, Draws::no);
}

int sweep(const SweepOptions& options) {
  end_early_on_signals();
  check_sweep(options);
  auto setup = bench_setup(options.run);
  if (options.tuned) use_tuned(setup, options.run.assignments);
  const auto axes = lab::parse_sweep(setup.table, options.axes, setup.configuration);
  auto combinations = lab::make_sweep(setup.table, axes, setup.configuration, setup.context);
  report_idle(options, setup, axes, combinations);
  const auto report = lab::measure_sweep(setup, std::move(combinations), options.steps);
  if (!options.json.empty()) lab::write_report(options.json, lab::sweep_json(setup.table, report));
  if (!options.csv.empty()) lab::write_report(options.csv, lab::sweep_csv(report));
  if (options.json != "-" && options.csv != "-") fmt::print("{}", lab::sweep_table(report));
  const auto place = fmt::format("combination {} of {}", report.reached + 1, report.sweep.cells.size());
  if (const int status = interrupted_at(place)) return status;
  if (report.sweep.best() == nullptr)
    throw sim::Error("every combination is refused: " + report.sweep.reasons().front().first);
  for (const auto& row : report.rows)
    if (row) lab::refuse_problems({*row});
  return 0;
}

Action declare_sweep(Arguments& arguments) {
  const auto options = std::make_shared<SweepOptions>();
  arguments
      .positional("AXES", options->axes,
                  "One or two options, and which values of them: tile,unroll or "
                  "tile=64:128:256,unroll=1:4:16. Values "
                  "with colons: tiling=1:64:256/4:128:512")
      .shown_as("A[=V:V..][,B[=V:V..]]")
      .required()
      .not_empty();
  add_data(arguments, options->run, "File or name of a built-in galaxy (default: plummer)");
  add_dataset(arguments, options->run.dataset);
  add_computing(arguments, options->run);
  add_kernel_folder(arguments, options->run.kernel_folder);
  arguments.group("Measurement");
  arguments.flag("--tuned", options->tuned, "Start from what `orrery tune` remembered");
  add_timed_steps(arguments, options->steps);
  arguments.group("Output");
  add_json(arguments, options->json);
  add_csv(arguments, options->csv);
  arguments.footer(processes_help);
  return [options] { return sweep(*options); };
}

}  // namespace

extern const Command sweep_command{.name = "sweep",
                                   .meaning = "Time every combination of one or two options, as a heat map",
                                   .declare = declare_sweep,
                                   .shares_work = true};

}  // namespace orrery::app
