#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/commands/argument_groups.h"
#include "app/commands/catalogue.h"
#include "app/commands/standard_streams.h"
#include "app/commands/verify_physics.h"
#include "app/picture/display_options.h"
#include "app/run/interruption.h"
#include "app/run/kernel_folder.h"
#include "app/session/idle_assignments.h"
#include "lab/bench/bench_setup.h"
#include "lab/ladders/ladder_problem.h"
#include "lab/ladders/ladders.h"
#include "lab/setup/progress_line.h"
#include "lab/setup/watched.h"
#include "lab/verify/multiscale_scenes.h"
#include "lab/verify/verification.h"
#include "lab/verify/verification_scenes.h"
#include "lab/verify/verification_set.h"
#include "sim/core/counted.h"
#include "sim/core/error.h"
#include "sim/core/interrupt.h"
#include "sim/galaxies/model.h"
#include "sim/options/engine_option.h"

namespace orrery::app {

namespace {

struct VerifyOptions {
  /// Seed 2 has no encounter in the steps of the ladders that is so close that it amplifies rounding errors.
  RunOptions run{.dataset = {.seed = 2}};
  lab::LadderRequest ladder;  ///< name empty: all kernels and switches
  bool physics = false;       ///< known answers instead of kernels
  bool quick = false;         ///< leave out known answers that take seconds
  Part part;                  ///< which part of the checks to run, for each scene or ladder
  std::string json;           ///< a file, "-" for standard output, empty: none
};

// No multiple of any tile or block: ends must be right too.
constexpr std::size_t default_bodies = 2000;
constexpr std::uint32_t most_default_galaxies = 4;
constexpr int default_steps = 100;
// From 32 768 bodies on a tree compares cells with most of a group (sim::cell_rule).
constexpr std::size_t default_multiscale_bodies = 33'000;
constexpr int multiscale_steps = 2;
constexpr double default_position_tolerance = 1e-3;

/// Takes results as they come: the table grows line by line, and another line says how far it is.
class Report {
 public:
  explicit Report(bool visible) : visible_(visible) {}

  /// A table with that many rows of that many steps begins.
  void head(const std::string& title, std::size_t rows, int steps) {
    rows_ = rows;
    done_ = 0;
    steps_ = steps;
    print(title + "\n" + lab::verification_heading());
  }
  /// The verification of that name is made next, with the verifier.
  void begin(const std::string& name, const sim::Configuration& configuration, lab::Verifier& verifier) {
    name_ = name;
    used_.push_back(configuration);
    show(0);
    verifier.on_step([this](int step) {
      if (line_.due()) show(step);
    });
  }
  void add(lab::Verification result) {
    ++done_;
    print(lab::verification_line(result));
    results_.push_back(std::move(result));
  }
  const std::vector<lab::Verification>& results() const { return results_; }
  /// The configurations of all of them.
  const std::vector<sim::Configuration>& used() const { return used_; }
  /// Name of the phase that began last.
  const std::string& name() const { return name_; }

 private:
  void print(const std::string& text) {
    const auto quiet = line_.pause();
    if (visible_) print_now(text);
  }
  void show(int step) {
    const double of_row = static_cast<double>(step) / steps_;
    line_.show(fmt::format("{}, {} of {}", name_, done_ + 1, rows_),
               (static_cast<double>(done_) + of_row) / static_cast<double>(rows_));
  }

  bool visible_;
  std::vector<lab::Verification> results_;
  std::vector<sim::Configuration> used_;
  std::string name_ = "the start";
  std::size_t rows_ = 1, done_ = 0;  ///< rows of this table, all and done
  int steps_ = 1;
  lab::ProgressLine line_{"verify"};
};

void verify_ladder(const sim::OptionTable& table, lab::LadderProblem& problem, const VerifyOptions& options,
                   Report& report) {
  const bool own_dataset = !options.run.dataset.source.empty();
  const auto& ladder = problem.ladder();
  const auto& scene = problem.scene(problem.bodies());
  const int steps = options.ladder.own_steps.value_or(ladder.steps);
  report.head(fmt::format("{}: {} in {}, {}; positions must agree to {:g}", ladder.name,
                          sim::counted(scene.bodies.size(), "body", "bodies"),
                          sim::counted(problem.galaxies(), "galaxy", "galaxies"),
                          sim::counted(steps, "step", "steps"), ladder.position_tolerance) +
                  (own_dataset ? " of the radius of half of the bodies" : ""),
              options.part.size_of(ladder.rungs.size()), steps);
  lab::Verifier verifier(
      table, scene,
      {.steps = steps, .position_tolerance = ladder.position_tolerance, .of_radius = own_dataset});
  for (std::size_t k = 0; k < ladder.rungs.size(); ++k) {
    if (!options.part.has(k)) continue;
    const auto& rung = ladder.rungs[k];
    const auto configuration = problem.configuration(rung, scene);
    report.begin(ladder.name + ": " + rung.name, configuration, verifier);
    auto result = rung.unavailable.empty()
                      ? verifier.verify(rung.name, configuration)
                      : lab::Verification{.name = rung.name, .skipped = rung.unavailable};
    result.ladder = ladder.name;
    report.add(std::move(result));
  }
}

void verify_ladders(const VerifyOptions& options, const sim::OptionTable& table, Report& report) {
  auto request = options.ladder;
  request.dataset = options.run.dataset;
  request.assignments = options.run.assignments;
  std::vector<lab::LadderProblem> problems;
  for (auto& ladder : lab::find_ladders(table, request.name, request.folder)) {
    ladder.galaxies = std::min<std::size_t>(ladder.galaxies, most_default_galaxies);
    const auto* model = sim::find_galaxy_model(ladder.model);
    const auto bodies = std::clamp(default_bodies, model->minimum_bodies, model->maximum_bodies);
    problems.emplace_back(table, ladder, request, bodies);
  }
  for (auto& problem : problems) verify_ladder(table, problem, options, report);
}

sim::Configuration start_configuration(const sim::OptionTable& table, const sim::Scene& scene,
                                       const std::vector<std::string>& assignments) {
  auto configuration = table.defaults();
  lab::apply_scene(configuration, scene, assignments);
  lab::apply_assignments(table, configuration, assignments);
  return configuration;
}

using Set = std::vector<lab::NamedConfiguration>;

void verify_set(const sim::OptionTable& table, const sim::Scene& scene, const Set& set,
                const lab::VerificationTask& task, Report& report) {
  const auto rule = task.parts.empty()
                        ? fmt::format("positions must agree to {:g} of the radius of half of the bodies",
                                      task.position_tolerance)
                        : fmt::format("each of its {} parts must have its forces", task.parts.size());
  report.head(fmt::format("{}: {}, {}; {}", scene.title, sim::counted(scene.bodies.size(), "body", "bodies"),
                          sim::counted(task.steps, "step", "steps"), rule),
              set.size(), task.steps);
  lab::Verifier verifier(table, scene, task);
  for (const auto& [name, configuration] : set) {
    report.begin(name, configuration, verifier);
    report.add(verifier.verify(name, configuration));
  }
}

constexpr std::string_view engine_assignment = "engine=";

/// The engine that the command line asks for; empty: all.
std::string wanted_engine(const std::vector<std::string>& assignments) {
  std::string engine;
  for (const auto& each : assignments)
    if (each.starts_with(engine_assignment)) engine = each.substr(engine_assignment.size());
  return engine;
}

/// True if the scenes' own physics is what runs: then their energies are conserved.
bool physics_is_own(const std::vector<std::string>& assignments) {
  return std::ranges::all_of(assignments, [](const std::string& each) {
    return each.starts_with(engine_assignment) || each.starts_with("threads=") ||
           each.starts_with("devices=");
  });
}

/// The task for the engines, and where the results go.
struct EngineTask {
  const VerifyOptions& options;
  const sim::OptionTable& table;
  std::string engine;  ///< empty: all
  Report& report;

  sim::Configuration start(const sim::Scene& scene) const {
    return start_configuration(table, scene, options.run.assignments);
  }
  /// The configurations of the set that use the requested engine.
  Set of_engine(Set set) const {
    std::erase_if(set, [&](const lab::NamedConfiguration& each) {
      return !engine.empty() && sim::engine_name(each.second) != engine;
    });
    keep_part(set, options.part);
    return set;
  }
  /// Verifies approximate kernels on a scene whose parts are judged by themselves.
  void verify_parts(const lab::PartedScene& parted) const {
    const auto& scene = parted.scene;
    const auto set = of_engine(lab::approximate_verification_set(table, start(scene)));
    if (!set.empty())
      verify_set(table, scene, set, {.steps = multiscale_steps, .parts = parted.parts}, report);
  }
  void verify(const sim::Scene& scene, Set set, bool known_answers) const {
    set = of_engine(std::move(set));
    verify_set(table, scene, set,
               {.steps = options.ladder.own_steps.value_or(default_steps),
                .position_tolerance = default_position_tolerance,
                .of_radius = true,
                .known_answers = known_answers && physics_is_own(options.run.assignments)},
               report);
  }
  Set full_set(const sim::Scene& scene) const {
    auto set = lab::cpu_verification_set(table, start(scene));
    for (auto& each : lab::cuda_verification_set(table, start(scene))) set.push_back(std::move(each));
    return set;
  }
  /// The CPU's kernels do the same with several galaxies as with one; a GPU's work is queued otherwise.
  Set galaxy_set(const sim::Scene& scene) const {
    auto set = lab::short_verification_set(table, start(scene));
    std::erase_if(set, [](const auto& each) { return sim::is_on_gpu(each.second); });
    for (auto& each : lab::cuda_verification_set(table, start(scene))) set.push_back(std::move(each));
    return set;
  }
};

/// Approximate kernels on scenes with structure on very different scales.
void verify_multiscale_scenes(const EngineTask& task) {
  const auto& request = task.options.run.dataset;
  const auto bodies =
      std::max(request.bodies.value_or(default_multiscale_bodies), lab::least_multiscale_bodies);
  for (const char* name : {"satellite", "two-spheres-1e4", "galaxy-group", "nested-spheres", "black-hole"})
    task.verify_parts(lab::make_multiscale_scene(name, {.bodies = bodies, .seed = request.seed}));
}

/// Without a dataset: unequal masses, several galaxies, a dominant body, charges, and clumps.
void verify_default_scenes(const EngineTask& task) {
  const auto& request = task.options.run.dataset;
  const lab::SceneSize size{.bodies = request.bodies.value_or(default_bodies), .seed = request.seed};
  const auto galaxies = lab::unequal_galaxies(size);
  const auto plummer = lab::unequal_plummer(size);
  task.verify(plummer, task.full_set(plummer), true);
  task.verify(galaxies, task.galaxy_set(galaxies), true);
  const auto cloud = lab::dominated_cloud(size);
  task.verify(cloud, lab::short_verification_set(task.table, task.start(cloud)), true);
  auto of_charges = request;
  of_charges.source = "charges";
  of_charges.built_in = true;
  of_charges.bodies = size.bodies;
  const auto charges = lab::load_dataset(of_charges);
  task.verify(charges, lab::short_verification_set(task.table, task.start(charges)), false);
  verify_multiscale_scenes(task);
}

/// All engines on the dataset, or on scenes that tell wrong kernels from right ones.
void verify_engines(const VerifyOptions& options, const sim::OptionTable& table, Report& report) {
  const EngineTask task{options, table, wanted_engine(options.run.assignments), report};
  auto request = options.run.dataset;
  if (request.source.empty() && request.galaxies == 1) {
    if (!task.engine.empty()) table.check(start_configuration(table, {}, options.run.assignments));
    verify_default_scenes(task);
  } else {
    if (request.source.empty()) {
      request.source = "plummer";
      request.built_in = true;
      request.bodies = request.bodies.value_or(default_bodies);
    }
    const auto scene = lab::load_watched(request);
    lab::report_notes(request, scene, options.run.assignments);
    if (!task.engine.empty()) table.check(task.start(scene), lab::option_context(scene));
    task.verify(scene, task.full_set(scene), false);
  }
  const auto& wanted = sim::engine_traits(task.engine);
  const bool wants_gpu = task.engine.empty() || (wanted.on_gpu && !wanted.emulated);
  if (const auto reason = lab::cuda_unavailable(); !reason.empty() && wants_gpu)
    report.add({.name = "engine=cuda", .skipped = reason});
}

/// Ends early when a person interrupts.
void verify_all(const VerifyOptions& options, const sim::OptionTable& table, Report& report) try {
  if (options.ladder.name.empty())
    verify_engines(options, table, report);
  else
    verify_ladders(options, table, report);
} catch (const sim::Cancelled&) {
  if (!sim::interrupted()) throw;
}

/// Problems and integrators are the checks' own.
int verify_answers(const VerifyOptions& options) {
  if (!options.ladder.name.empty() || !options.ladder.folder.empty() || options.ladder.own_steps ||
      !options.run.dataset.source.empty())
    throw sim::UsageError("--physics has problems of its own: it takes no data, --ladder or --steps");
  read_kernels_from(options.run.kernel_folder);
  return verify_physics({options.run.assignments, options.quick, options.part, options.json});
}

/// Without a ladder all kernels are verified, so one that is named would be in vain.
void refuse_kernel(const std::vector<std::string>& assignments) {
  for (const auto& each : assignments)
    if (each.starts_with("kernel=") || each.starts_with("family="))
      throw sim::UsageError(
          fmt::format("{}: all kernels are verified; one is chosen only with --physics", each));
}

int verify(const VerifyOptions& options) {
  if (options.physics) return verify_answers(options);
  if (options.quick) throw sim::UsageError("--quick belongs to --physics, which is missing");
  end_early_on_signals();
  const auto table = all_options();
  if (options.ladder.name.empty() && !options.ladder.folder.empty())
    throw sim::UsageError("--ladders names a folder of ladders; --ladder NAME or all is missing");
  auto physics = options.run.assignments;
  if (options.ladder.name.empty())
    std::erase_if(physics, [](const std::string& each) { return each.starts_with(engine_assignment); });
  if (options.ladder.name.empty()) refuse_kernel(physics);
  lab::check_ladder_assignments(table, physics);
  lab::check_report(options.json);
  read_kernels_from(options.run.kernel_folder);
  Report report(options.json != "-");
  verify_all(options, table, report);
  const auto& results = report.results();
  if (!options.json.empty()) lab::write_report(options.json, lab::verification_json(table, results));
  if (options.json != "-") fmt::print("{}\n", lab::verification_summary(results));
  report_idle_assignments(table, options.run.assignments, report.used(), Draws::no);
  if (const int status = interrupted_at(report.name())) return status;
  const bool failed = std::ranges::any_of(results, &lab::Verification::failed);
  if (failed) fmt::print(stderr, "orrery: {}\n", lab::verification_summary(results));
  return failed ? 1 : 0;
}

Action declare_verify(Arguments& arguments) {
  const auto options = std::make_shared<VerifyOptions>();
  auto& ladder = options->ladder;
  add_data(arguments, options->run, "File or name of a built-in galaxy (default: plummer, or the ladder's)");
  add_dataset(arguments, options->run.dataset);
  add_computing(arguments, options->run);
  add_kernel_folder(arguments, options->run.kernel_folder);
  arguments.group("Checks");
  arguments
      .value("--ladder", ladder.name, "Check the rungs of a ladder, or of all, by its report's criterion")
      .shown_as("LADDER|all")
      .not_empty();
  add_ladder_folder(arguments, ladder.folder);
  arguments.value("--steps", ladder.own_steps, "Steps (default: those of the ladder, else 100)")
      .whole_number(1, 1'000'000);
  arguments.flag(
      "--physics", options->physics,
      "Check integrators and forces by problems with known answers instead: orders, orbits, equilibria");
  arguments.flag("--quick", options->quick, "With --physics: leave out what takes seconds");
  arguments
      .text(
          "--part", [options](const std::string& text) { options->part = parse_part(text); },
          "Only every Nth check, from the Kth on: processes that get the other parts share the work")
      .shown_as("K/N");
  arguments.group("Output");
  add_json(arguments, options->json);
  arguments.footer(
      "--kernel, and --set of what belongs to kernels, go with --physics: otherwise all kernels and switches "
      "are\nverified.");
  return [options, arguments] {
    options->ladder.own_galaxies = arguments.given("--galaxies");
    return verify(*options);
  };
}

}  // namespace

/// Compares every configuration with double precision and with the CPU; ends with 1 if one is wrong.
extern const Command verify_command{
    .name = "verify",
    .meaning = "Check every kernel and switch: forces, positions against the CPU, energy",
    .declare = declare_verify};

}  // namespace orrery::app
