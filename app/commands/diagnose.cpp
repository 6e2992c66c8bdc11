#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/commands/argument_groups.h"
#include "app/commands/catalogue.h"
#include "app/ending/answer_in_time.h"
#include "app/run/interruption.h"
#include "app/run/kernel_folder.h"
#include "app/session/idle_assignments.h"
#include "lab/diagnostics/diagnostic_plot.h"
#include "lab/runs/run_measurement.h"
#include "lab/setup/free_option.h"
#include "sim/core/error.h"
#include "sim/core/file_writer.h"
#include "sim/core/interrupt.h"
#include "sim/core/json_text.h"
#include "sim/core/message.h"
#include "sim/simulation/monitor.h"

namespace orrery::app {

namespace {

struct DiagnoseOptions {
  RunOptions run;
  std::string measurement{lab::run_measurements().front()->name};
  lab::RunRequest request;
  std::filesystem::path output, profile;
  std::string json;  ///< a file, "-" for standard output, empty: none
};

/// The tables are of this measurement only.
bool has_tables(const lab::RunMeasurement& measurement) {
  return &measurement == lab::run_measurements().front();
}

/// Before anything is computed.
void check_table(const std::filesystem::path& table) {
  if (table.empty()) return;
  if (table.extension() != ".csv")
    throw sim::UsageError(fmt::format("'{}': the table is written as .csv", table.string()));
  const sim::FileWriter trial(table, sim::for_named_outputs());
}

const lab::RunMeasurement& check_measurement(const DiagnoseOptions& options) {
  const auto& measurement = lab::find_run_measurement(options.measurement);
  const bool tables = !options.output.empty() || !options.profile.empty();
  if (tables && !has_tables(measurement))
    throw sim::UsageError(fmt::format(
        "{} are written as JSON: leave -o and --profile out and add --json FILE", measurement.name));
  if (!tables && options.json.empty())
    throw sim::UsageError(has_tables(measurement)
                              ? "diagnose needs a file to write: -o FILE.csv, or --json FILE"
                              : "diagnose needs a file to write: add --json FILE");
  if (!options.request.vary.empty() && !measurement.varies)
    throw sim::UsageError(fmt::format("--vary is not for --measure {}; leave it out", measurement.name));
  check_table(options.output);
  check_table(options.profile);
  lab::check_report(options.json);
  return measurement;
}

/// Says the name, unless JSON has standard output.
void write(const DiagnoseOptions& options, const std::filesystem::path& table, const std::string& text) {
  if (table.empty()) return;
  sim::FileWriter file(table, sim::for_named_outputs());
  file.write(text);
  file.finish();
  if (options.json != "-") fmt::print("{}\n", sim::one_line(table.string()));
}

/// Says on standard error how far the energy drifted, and warns where it drifted too far.
void tell_drift(const lab::DiagnosticsLog& log) {
  if (log.past.size() < 2 || !(std::abs(log.past.front().energy) > 0.0)) return;
  const auto drift = [&](const lab::Instant& at) { return at.energy / log.past.front().energy - 1.0; };
  double largest = 0.0;
  for (const auto& at : log.past)
    if (!(std::abs(drift(at)) <= largest)) largest = std::abs(drift(at));
  const double last = drift(log.past.back());
  fmt::print(stderr, "energy changed by {:+.1e}, by {:.1e} at most\n", last, largest);
  if (!(largest <= sim::most_energy_drift))
    fmt::print(stderr,
               "the energy changed by more than {:g} %: use a shorter time-step, step=even or a softening\n",
               100.0 * sim::most_energy_drift);
}

void write_tables(const DiagnoseOptions& options, const nlohmann::json& document) {
  const auto log = lab::log_of(document);
  write(options, options.output, lab::csv_of(log.past));
  write(options, options.profile, lab::csv_of(log.profile));
  if (const auto note = lab::sample_text(log); !note.empty() && options.json != "-")
    fmt::print("radii and profile {}\n", note);
}

int diagnose(DiagnoseOptions& options) {
  end_early_on_signals();
  const auto& measurement = check_measurement(options);
  read_kernels_from(options.run.kernel_folder);
  auto setup = bench_setup(options.run);
  options.request.assignments = options.run.assignments;
  if (measurement.double_precision) {
    const auto chosen =
        lab::choose_double_precision(setup.table, setup.configuration, setup.scene, options.run.assignments);
    if (!chosen.empty()) fmt::print(stderr, "{}\n", chosen);
  }
  report_idle_assignments(setup.table, options.run.assignments, {&setup.configuration, 1}, Draws::no);
  nlohmann::json document;
  try {
    // Diagnostics keep the rows until an interruption.
    std::optional<NothingToKeep> nothing;
    if (!has_tables(measurement)) nothing.emplace();
    document = measurement.measure(setup, options.request);
  } catch (const sim::Cancelled&) {
    if (!sim::interrupted()) throw;
  }
  if (document.is_null()) return interrupted_when("while measuring; nothing was written");
  if (has_tables(measurement)) write_tables(options, document);
  if (!options.json.empty()) lab::write_report(options.json, sim::dump_json(document, 1) + "\n");
  if (has_tables(measurement)) tell_drift(lab::log_of(document));
  return interrupted_when("while measuring; what was measured before is written");
}

std::string measurements_help() {
  std::string text = "Measurements, each drawn by `orrery plot KIND FILE` from the JSON:\n";
  for (const auto* each : lab::run_measurements())
    text += fmt::format("  {:<12} {} (plot {})\n", each->name, each->meaning, each->drawn_by);
  return text +
         "docs/physics.md says how each quantity is found. Of several galaxies radii and profile are "
         "those\nof the first.";
}

void add_outputs(Arguments& arguments, DiagnoseOptions& options) {
  arguments.group("Output");
  arguments.value("-o,--output", options.output, "CSV of diagnostics, one row for each time")
      .names_file(FileRole::written);
  arguments
      .value("--profile", options.profile, "CSV of the last state, one row for each distance from the axis")
      .names_file(FileRole::written);
  add_json(arguments, options.json);
}

Action declare_diagnose(Arguments& arguments) {
  const auto options = std::make_shared<DiagnoseOptions>();
  auto& request = options->request;
  add_data(arguments, options->run, "File or name of a built-in galaxy (default: plummer)");
  add_dataset(arguments, options->run.dataset);
  arguments.group("Measurement");
  arguments
      .value("--measure", options->measurement,
             "What is measured during the run (see below; default: diagnostics)")
      .shown_as("NAME");
  arguments.value("--steps", request.steps, "Steps (default 0 of diagnostics, as many as suit of others)")
      .whole_number(0, 2'000'000'000);
  arguments.value("--every", request.every, "Steps between two samples; the last step always has one")
      .whole_number(1, 2'000'000'000);
  arguments
      .value("--vary", request.vary,
             "energy, error, steps: one run for each value, e.g. integrator=leapfrog:forest-ruth, "
             "step=block:0.05/block:0.1")
      .shown_as("A[=V:V..]")
      .not_empty();
  add_computing(arguments, options->run);
  add_kernel_folder(arguments, options->run.kernel_folder);
  add_outputs(arguments, *options);
  arguments.footer(measurements_help());
  return [options] { return diagnose(*options); };
}

}  // namespace

/// Quantities of a run over time.
extern const Command diagnose_command{
    .name = "diagnose",
    .meaning = "Measure a galaxy during a run: energies, radii, errors, orbits",
    .declare = declare_diagnose};

}  // namespace orrery::app
