#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/commands/argument_groups.h"
#include "app/commands/catalogue.h"
#include "app/commands/standard_streams.h"
#include "app/picture/display_options.h"
#include "app/run/interruption.h"
#include "app/run/kernel_folder.h"
#include "app/session/idle_assignments.h"
#include "lab/bench/bench_setup.h"
#include "lab/ladders/ladder_benchmark.h"
#include "lab/ladders/ladders.h"
#include "lab/setup/progress_line.h"
#include "sim/core/counted.h"
#include "sim/core/error.h"
#include "sim/core/interrupt.h"

namespace orrery::app {

namespace {

struct LadderOptions {
  lab::LadderRequest ladder{.name = "all"};
  RunOptions run;
  std::vector<std::size_t> sizes;  ///< --bodies, one or several; empty: as many as the ladder has
  std::vector<std::size_t> maps;   ///< --map, one or several; empty: as the ladder has it
  std::string json;                ///< a file, "-" for standard output, empty: none
  std::string csv;
};

constexpr const char* legend =
    "x first, x prev: how many times faster whole steps are than those of the first rung and of the one "
    "before\n"
    "that ran: pairs over time (a tree's GI/s count what it sums); published: the same in the report, its "
    "rate,\n"
    "or (over another rung, see --json); limit: of the GPU's FP32 rate with 13 slots per interaction; "
    "slots:\n"
    "those that the compiled kernel takes; issue, spec: of the limits that follow for instructions and "
    "special\n"
    "functions.\n";

/// Every ladder that was asked for with every number of bodies.
std::vector<lab::LadderProblem> problems_of(const LadderOptions& options, const sim::OptionTable& table,
                                            const std::vector<lab::Ladder>& ladders) {
  auto request = options.ladder;
  request.dataset = options.run.dataset;
  request.assignments = options.run.assignments;
  std::vector<std::optional<std::size_t>> sizes(options.sizes.begin(), options.sizes.end());
  if (sizes.empty()) sizes.emplace_back();
  std::vector<std::optional<std::size_t>> maps(options.maps.begin(), options.maps.end());
  if (maps.empty()) maps.emplace_back();
  std::vector<lab::LadderProblem> problems;
  problems.reserve(ladders.size() * sizes.size() * maps.size());
  for (const auto& ladder : ladders) {
    for (const auto& bodies : sizes) {
      request.dataset.bodies = bodies;
      for (const auto& map : maps) {
        request.assignments = options.run.assignments;
        if (map) request.assignments.push_back(fmt::format("map-size={}", *map));
        problems.emplace_back(table, ladder, request, ladder.bodies);
      }
    }
  }
  return problems;
}

/// Announces each rung on standard error before it is measured; a line shows how far all of them are.
class Announcer {
 public:
  /// The problems are those that will be measured.
  explicit Announcer(const std::vector<lab::LadderProblem>& problems) {
    for (const auto& problem : problems) rungs_ += problem.ladder().rungs.size();
  }

  /// A watcher for measure_ladder with that ladder, which must outlive the measurement.
  lab::RungWatch watch(const lab::Ladder& ladder) {
    return {.begins = [this, &ladder](const lab::Rung& rung,
                                      std::size_t index) { announce(ladder, rung, index); },
            .stepped =
                [this](const lab::Rung&, std::size_t index, int done, int steps) {
                  if (line_.due()) show(static_cast<double>(index) + static_cast<double>(done) / steps);
                }};
  }
  void finished(const lab::Ladder& ladder) { before_ += ladder.rungs.size(); }
  lab::ProgressLine& line() { return line_; }
  /// The rung that was announced last.
  const std::string& where() const { return where_; }

 private:
  void announce(const lab::Ladder& ladder, const lab::Rung& rung, std::size_t index) {
    {
      const auto quiet = line_.pause();
      fmt::print(stderr, "{}: {}\n", ladder.name, rung.name);
    }
    where_ = fmt::format("{}, rung {} of {} ({})", ladder.name, index + 1, ladder.rungs.size(), rung.name);
    show(static_cast<double>(index));
  }
  /// That many rungs of the present ladder are done.
  void show(double done) {
    line_.show(where_, (static_cast<double>(before_) + done) / static_cast<double>(rungs_));
  }

  std::size_t rungs_ = 0, before_ = 0;  ///< rungs of all ladders, and rungs of the ladders that are complete
  std::string where_ = "the start";
  lab::ProgressLine line_{"ladder"};
};

/// Tables are printed as they come. Ends early when a person interrupts; the table of the ladder that was
/// under way has the rungs that were measured.
std::vector<lab::LadderResult> measure(const LadderOptions& options, const sim::OptionTable& table,
                                       std::vector<lab::LadderProblem>& problems, Announcer& announcer) {
  const bool table_wanted = options.json != "-" && options.csv != "-";
  std::vector<lab::LadderResult> results;
  for (auto& problem : problems) {
    if (sim::interrupted()) break;
    const auto& ladder = problem.ladder();
    results.push_back(lab::measure_ladder(table, problem, options.ladder.own_steps, announcer.watch(ladder)));
    announcer.finished(ladder);
    const auto quiet = announcer.line().pause();
    if (table_wanted) print_now(lab::ladder_table(results.back()) + "\n");
  }
  if (table_wanted) print_now(legend);
  return results;
}

/// Lists the ladders. Returns the exit status.
int list_ladders(const LadderOptions& options, const std::vector<std::string>& given) {
  for (const auto& name : given)
    if (name != "--ladders")
      throw sim::UsageError(
          fmt::format("{} needs a ladder: name one, or all (`orrery ladder` lists them)", name));
  for (const auto& ladder : lab::find_ladders(all_options(), "all", options.ladder.folder))
    fmt::print("{:<16} {} ({})\n", ladder.name, ladder.title,
               sim::counted(ladder.rungs.size(), "rung", "rungs"));
  fmt::print("`orrery ladder NAME` climbs one, `orrery ladder all` all of them.\n");
  return 0;
}

/// Names assignments that no rung uses.
void report_idle(const LadderOptions& options, const sim::OptionTable& table,
                 const std::vector<lab::LadderProblem>& problems) {
  std::vector<sim::Configuration> used;
  for (const auto& problem : problems)
    for (const auto& rung : problem.ladder().rungs)
      if (rung.unavailable.empty()) used.push_back(problem.configuration(rung, {}));
  report_idle_assignments(table, options.run.assignments, used, Draws::no);
}

int ladder(const LadderOptions& options) {
  end_early_on_signals();
  check_one_output(options.json, options.csv);
  read_kernels_from(options.run.kernel_folder);
  const auto table = all_options();
  lab::check_ladder_assignments(table, options.run.assignments);
  const auto ladders = lab::find_ladders(table, options.ladder.name, options.ladder.folder);
  lab::check_report(options.json);
  lab::check_report(options.csv);
  auto problems = problems_of(options, table, ladders);
  report_idle(options, table, problems);
  Announcer announcer(problems);
  const auto results = measure(options, table, problems, announcer);
  if (!options.json.empty()) lab::write_report(options.json, lab::ladder_json(table, results));
  if (!options.csv.empty()) lab::write_report(options.csv, lab::ladder_csv(results));
  if (const int status = interrupted_at(announcer.where())) return status;
  for (const auto& ladder : results) {
    for (const auto& row : ladder.rows)
      if (row.measured) lab::refuse_problems({*row.measured});
  }
  return 0;
}

Action declare_ladder(Arguments& arguments) {
  const auto options = std::make_shared<LadderOptions>();
  auto& ladder_options = options->ladder;
  arguments.positional("LADDER", ladder_options.name, "One ladder, or all; without a name they are listed")
      .shown_as("NAME|all")
      .not_empty();
  add_data(arguments, options->run, "File or name of a built-in galaxy (default: the ladder's)");
  add_dataset(arguments, options->run.dataset, options->sizes);
  arguments.group("Computing");
  add_options(arguments, options->run);
  add_kernel_folder(arguments, options->run.kernel_folder);
  arguments.group("Measurement");
  add_ladder_folder(arguments, ladder_options.folder);
  add_maps(arguments, options->maps);
  arguments
      .value("--steps", ladder_options.own_steps,
             "Timed steps after one to warm up (default: 0.2 s on a GPU, at least 5; on the CPU at most 5)")
      .whole_number(1, most_timed_steps);
  arguments.group("Output");
  add_json(arguments, options->json);
  add_csv(arguments, options->csv);
  arguments.footer(processes_help);
  return [options, arguments] {
    options->ladder.own_galaxies = arguments.given("--galaxies");
    return arguments.given("LADDER") ? ladder(*options) : list_ladders(*options, arguments.all_given());
  };
}

}  // namespace

extern const Command ladder_command{
    .name = "ladder",
    .meaning = "Time the rungs of a report's ladder, next to the published figures",
    .declare = declare_ladder,
    .shares_work = true};

}  // namespace orrery::app
