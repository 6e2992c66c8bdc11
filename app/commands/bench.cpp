#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "app/commands/argument_groups.h"
#include "app/commands/catalogue.h"
#include "app/commands/standard_streams.h"
#include "app/picture/display_options.h"
#include "app/run/interruption.h"
#include "app/run/kernel_folder.h"
#include "app/session/idle_assignments.h"
#include "lab/bench/bench_setup.h"
#include "lab/bench/kernel_benchmark.h"
#include "sim/activity/map_options.h"
#include "sim/core/error.h"
#include "sim/core/interrupt.h"
#include "sim/core/time_account.h"
#include "sim/options/engine_option.h"
#include "sim/simulation/engine_registry.h"
#include "sim/simulation/error_watch.h"

namespace orrery::app {

namespace {

struct BenchOptions {
  RunOptions run;
  /// Names, comma separated, or "all"; default: that of --kernel, else all.
  std::optional<std::string> kernels;
  std::vector<std::size_t> sizes;  ///< --bodies, one or several
  std::vector<std::size_t> maps;   ///< --map, one or several; empty: as the options say
  int steps = 5;
  bool times = false;  ///< say how long each part of the run took
  bool tuned = false;  ///< start from what `orrery tune` remembered
  std::string json;    ///< a file, "-" for standard output, empty: none
  std::string csv;
};

/// --kernel X (or --set kernel=X, --set family=X), the last one, is short for --kernels X.
void take_kernels(BenchOptions& options) {
  std::optional<std::string> named;
  std::erase_if(options.run.assignments, [&](const std::string& each) {
    const bool names_one = each.starts_with("kernel=") || each.starts_with("family=");
    if (names_one) named = each.substr(each.find('=') + 1);
    return names_one;
  });
  if (!options.kernels) options.kernels = named.value_or("all");
}

/// Before anything is measured.
void check_bench_outputs(const BenchOptions& options) {
  lab::check_report(options.json);
  lab::check_report(options.csv);
}

/// Where the time of the run went, so far.
void put_times(nlohmann::json& json, sim::TimeAccount& account) {
  for (const auto& entry : account.entries()) {
    json["seconds"][entry.phase] = entry.seconds;
    json["processor_seconds"][entry.phase] = entry.processor_seconds;
  }
}

/// Takes rows as they are measured: the table, or CSV on standard output, grows line by line.
class Report {
 public:
  /// `names`: of the kernels that rows are of.
  Report(const BenchOptions& options, sim::TimeAccount& account, const std::vector<std::string>& names = {})
      : options_(options), account_(account) {
    form_.maps = !options.maps.empty();
    for (const auto& name : names) form_.label_width = std::max(form_.label_width, name.size());
  }

  void add(const lab::BenchmarkRow& row) {
    rows_.push_back(row);
    form_.label_width = std::max(form_.label_width, lab::benchmark_label(row).size());
    if (rows_.size() == 1) print_head();
    if (options_.csv == "-") print_now(lab::benchmark_csv_line(row));
    if (table_wanted()) print_now(lab::benchmark_line(row, form_));
    if (!row.beyond_statement.empty())
      fmt::print(stderr,
                 "{}: {}; `orrery render` and the window check their own steps and bodies, and may find "
                 "nothing wrong\n",
                 row.label, row.beyond_statement);
    if (!row.energy_problem.empty()) fmt::print(stderr, "{}: {}\n", row.label, row.energy_problem);
  }

  /// Resolves the parts of the row that have a fixed size.
  void finish(const sim::OptionTable& table) const {
    if (!options_.json.empty()) {
      auto json = lab::benchmark_json(table, rows_);
      put_times(json, account_);
      lab::write_report(options_.json, json);
    }
    if (!options_.csv.empty() && options_.csv != "-")
      lab::write_report(options_.csv, lab::benchmark_csv(rows_));
    if (rows_.empty()) print_head();
    if (table_wanted()) print_now(lab::benchmark_notes(rows_));
    lab::refuse_problems(rows_);
  }

  std::size_t rows() const { return rows_.size(); }
  bool wrong() const {
    return std::ranges::any_of(
        rows_, [](const auto& row) { return !row.beyond_statement.empty() || !row.energy_problem.empty(); });
  }

 private:
  bool table_wanted() const { return options_.json != "-" && options_.csv != "-"; }
  void print_head() const {
    if (options_.csv == "-") print_now(lab::benchmark_csv_head());
    if (table_wanted()) print_now(lab::benchmark_head(rows_, form_));
  }

  const BenchOptions& options_;
  sim::TimeAccount& account_;
  lab::BenchmarkForm form_;
  std::vector<lab::BenchmarkRow> rows_;
};

/// 0, or the status of an interruption or of forces or an energy that are wrong; what is left to say comes
/// before it.
int end_of(const Report& report) {
  const auto rows = report.rows();
  const int status = interrupted_at(fmt::format(
      "row {}; {}", rows + 1, rows == 0 ? "nothing was measured" : "what was measured before is reported"));
  return status == 0 && report.wrong() ? sim::stated_error_exceeded : status;
}

int bench_tuned(const BenchOptions& options, sim::TimeAccount& account) {
  if (options.kernels)
    throw sim::UsageError("--kernels and --tuned exclude each other: tuning chose the kernel");
  const auto setup = bench_setup(options.run);
  report_idle_assignments(setup.table, options.run.assignments, {&setup.configuration, 1}, Draws::no);
  check_bench_outputs(options);
  Report report(options, account);
  lab::time_tuned(setup, options.run.assignments, options.steps,
                  [&](const lab::BenchmarkRow& row) { report.add(row); });
  report.finish(setup.table);
  return end_of(report);
}

/// Names assignments that no kernel uses. Sizes of --map are those of a map.
void report_idle(const BenchOptions& options, const std::vector<std::string>& names,
                 const lab::BenchSetup& setup) {
  auto start = setup.configuration;
  if (!options.maps.empty()) start.set("map-size", static_cast<std::int64_t>(std::ranges::max(options.maps)));
  report_idle_assignments(setup.table, options.run.assignments,
                          with_each(start, sim::kernel_option(start), names), Draws::no);
}

/// All kernels with each size of the activity map.
void time_maps(const BenchOptions& options, const std::vector<std::string>& names, lab::BenchSetup& setup,
               Report& report) {
  auto maps = options.maps;
  if (maps.empty()) maps.push_back(sim::map_options(setup.configuration).size);
  for (const auto map : maps) {
    setup.configuration.set("map-size", static_cast<std::int64_t>(map));
    // Of all kernels those run that can; one that was asked for by name is refused.
    lab::time_kernels(setup, names, *options.kernels == "all", options.steps,
                      [&](const lab::BenchmarkRow& row) { report.add(row); });
    if (sim::interrupted()) return;
  }
}

/// All kernels with each number of bodies, until a person interrupts.
void time_all(BenchOptions& options, const std::vector<std::string>& names, Report& report) try {
  bool first = true;
  for (const auto bodies : options.sizes) {
    if (bodies > 0) options.run.dataset.bodies = bodies;
    // Rows that were measured are kept, whatever the next dataset takes.
    auto setup = first ? bench_setup(options.run)
                       : lab::bench_setup(all_options(), options.run.dataset, options.run.assignments);
    if (std::exchange(first, false)) report_idle(options, names, setup);
    time_maps(options, names, setup, report);
    if (sim::interrupted()) return;
  }
} catch (const sim::Cancelled&) {
  // The rows that were measured are reported.
}

int bench_kernels(BenchOptions& options, sim::TimeAccount& account) {
  take_kernels(options);
  const auto table = all_options();
  // Wrong names are found before anything is made or computed.
  auto configuration = table.defaults();
  lab::apply_assignments(table, configuration, options.run.assignments);
  check_bench_outputs(options);
  const auto names = lab::kernel_names(table, configuration, *options.kernels);
  if (options.sizes.empty()) options.sizes.push_back(0);
  lab::require_dataset(options.run.dataset);
  configuration.set(sim::kernel_option(configuration), names.front());
  const auto preparation = sim::prepare_engine(configuration);
  Report report(options, account, names);
  time_all(options, names, report);
  report.finish(table);
  return end_of(report);
}

int bench(BenchOptions& options) {
  sim::TimeAccount account;
  end_early_on_signals();
  check_one_output(options.json, options.csv);
  if (options.tuned && !options.maps.empty())
    throw sim::UsageError("--map goes with kernels; with --tuned say --set map-size=D");
  if (options.tuned && options.sizes.size() > 1)
    throw sim::UsageError("several --bodies go with kernels; --tuned takes one");
  if (options.sizes.size() == 1) options.run.dataset.bodies = options.sizes.front();
  read_kernels_from(options.run.kernel_folder);
  const int status = options.tuned ? bench_tuned(options, account) : bench_kernels(options, account);
  if (options.times) fmt::print(stderr, "{}", sim::times_table(account.entries()));
  return status;
}

Action declare_bench(Arguments& arguments) {
  const auto options = std::make_shared<BenchOptions>();
  add_data(arguments, options->run, "File or name of a built-in galaxy (default: plummer)");
  add_dataset(arguments, options->run.dataset, options->sizes);
  add_computing(arguments, options->run);
  add_kernel_folder(arguments, options->run.kernel_folder);
  arguments.group("Measurement");
  arguments
      .value("--kernels", options->kernels,
             "Kernels, comma separated, or all (default: that of --kernel, else all)")
      .shown_as("KERNELS|all");
  arguments.flag("--tuned", options->tuned, "Start from what `orrery tune` remembered, and compare with it");
  add_maps(arguments, options->maps);
  add_timed_steps(arguments, options->steps);
  arguments.group("Output");
  add_json(arguments, options->json);
  add_csv(arguments, options->csv);
  add_times(arguments, options->times);
  arguments.footer(processes_help);
  return [options] { return bench(*options); };
}

}  // namespace

extern const Command bench_command{.name = "bench",
                                   .meaning = "Time kernels: GInteractions/s, speed-up, force error",
                                   .declare = declare_bench,
                                   .shares_work = true};

}  // namespace orrery::app
