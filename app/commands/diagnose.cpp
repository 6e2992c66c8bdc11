#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>

#include "app/commands/argument_groups.h"
#include "app/commands/catalogue.h"
#include "app/commands/interruption.h"
#include "app/commands/kernel_folder.h"
#include "lab/diagnostics/diagnostic_plot.h"
#include "lab/figures/measured_diagnostics.h"
#include "lab/setup/double_precision.h"
#include "sim/core/answer_in_time.h"
#include "sim/core/error.h"
#include "sim/core/file_writer.h"
#include "sim/core/interrupt.h"

namespace orrery::app {

namespace {

struct DiagnoseOptions {
  RunOptions run;
  int steps = 0;
  int every = 1;
  std::filesystem::path output, profile;
};

/// Before anything is computed.
void check_output(const std::filesystem::path& output) {
  if (output.extension() != ".csv")
    throw sim::UsageError(fmt::format("'{}': the table is written as .csv", output.string()));
  const sim::FileWriter trial(output, sim::Existing::keep);
}

void write(const std::filesystem::path& output, const std::string& text) {
  sim::FileWriter file(output, sim::Existing::keep);
  file.write(text);
  file.finish();
  fmt::print("{}\n", output.string());
}

int diagnose(const DiagnoseOptions& options) {
  end_early_on_signals();
  check_output(options.output);
  if (!options.profile.empty()) check_output(options.profile);
  read_kernels_from(options.run.kernel_folder);
  auto setup = bench_setup(options.run);
  const auto chosen =
      lab::choose_double_precision(setup.table, setup.configuration, setup.scene, options.run.assignments);
  if (!chosen.empty()) fmt::print(stderr, "{}\n", chosen);
  lab::DiagnosticsLog log;
  try {
    const sim::NothingToKeep nothing;
    log = lab::measured_diagnostics(setup, options.steps, options.every);
  } catch (const sim::Cancelled&) {
    if (!sim::interrupted()) throw;
  }
  if (const int status = interrupted_at("the measurement; nothing was written")) return status;
  write(options.output, lab::csv_of(log.past));
  if (!options.profile.empty()) write(options.profile, lab::csv_of(log.profile));
  if (const auto note = lab::sample_text(log); !note.empty()) fmt::print("radii and profile {}\n", note);
  return 0;
}

Action declare_diagnose(Arguments& arguments) {
  const auto options = std::make_shared<DiagnoseOptions>();
  add_data(arguments, options->run, "File or name of a built-in galaxy (default: plummer)");
  add_dataset(arguments, options->run.dataset);
  arguments.value("--steps", options->steps, "Steps to make (default 0: the first state only)")
      .whole_number(0, 2'000'000'000);
  arguments
      .value("--every", options->every, "Steps between two rows; the last step always has one (default 1)")
      .whole_number(1, 2'000'000'000);
  add_computing(arguments, options->run);
  add_kernel_folder(arguments, options->run.kernel_folder);
  arguments
      .value("-o,--output", options->output,
             "CSV, a row for each time: energies, momentum, angular momentum, virial ratio, Lagrange radii, "
             "bound share, bar strength, centre; never overwrites")
      .required()
      .names_file(FileRole::written);
  arguments
      .value("--profile", options->profile,
             "CSV of the last state, a row for each distance from the axis: surface density, rotation, "
             "dispersions, Toomre's Q")
      .names_file(FileRole::written);
  arguments.footer(
      "docs/physics.md says how each quantity is found. Of several galaxies radii and profile are those of "
      "the first.");
  return [options] { return diagnose(*options); };
}

}  // namespace

/// Quantities of a galaxy over time, and its profiles, as tables.
extern const Command diagnose_command{
    .name = "diagnose",
    .meaning = "Measure a galaxy over time: energies, radii, profiles, as CSV",
    .declare = declare_diagnose};

}  // namespace orrery::app
