#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "app/bench_setup.h"
#include "app/benchmark.h"
#include "app/commands/commands.h"
#include "app/display_options.h"
#include "app/kernel_folder.h"
#include "app/roofline_figure.h"
#include "sim/error.h"
#include "sim/ranks/agreement.h"
#include "sim/ranks/world.h"

namespace orrery::app {

namespace {

/// The names in "a,b" or all kernels; every name is checked before anything runs.
std::vector<std::string> kernel_names(const sim::OptionTable& table, const sim::Option& option,
                                      const std::string& list) {
  if (list == "all") return option.choices;
  std::vector<std::string> names;
  std::istringstream stream(list);
  for (std::string name; std::getline(stream, name, ',');) {
    names.push_back(sim::to_string(table.parse(option, name)));
  }
  if (names.empty()) throw sim::UsageError("--kernels needs names or 'all'");
  return names;
}

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

void describe_run(const sim::Scene& scene, int steps) {
  fmt::print(stderr, "{} bodies in {} galaxies of {}, {} steps after one to warm up\n", scene.bodies.size(),
             scene.bodies.galaxies().size(), scene.title, steps);
}

/// Before anything is measured.
void check_outputs(const BenchOptions& options, const sim::Configuration& configuration) {
  check_report(options.json);
  check_report(options.csv);
  if (options.figure.empty()) return;
  if (const auto& engine = configuration.choice("engine"); engine != "cuda")
    throw sim::UsageError(fmt::format(
        "--figure shows kernels of a GPU and engine={} has none; choose --engine cuda on a machine that has "
        "a GPU",
        engine));
  check_figure(options.figure);
}

std::string dataset_text(const sim::Scene& scene) {
  const auto galaxies = scene.bodies.galaxies().size();
  return fmt::format("{}, {} bodies{}", scene.title, scene.bodies.size(),
                     galaxies > 1 ? fmt::format(" in {} galaxies", galaxies) : std::string());
}

void report_rows(const BenchOptions& options, const sim::OptionTable& table, const std::string& dataset,
                 const std::vector<BenchmarkRow>& rows) {
  if (!options.json.empty()) write_report(options.json, benchmark_json(table, rows).dump(2) + "\n");
  if (!options.csv.empty()) write_report(options.csv, benchmark_csv(rows));
  if (options.json != "-" && options.csv != "-") fmt::print("{}", benchmark_table(rows));
  if (!options.figure.empty()) write_figure(options.figure, roofline_of(rows, dataset));
}

/// The command line's configuration, then the remembered one.
int bench_tuned(const BenchOptions& options) {
  if (options.kernels)
    throw sim::UsageError("--kernels and --tuned exclude each other: tuning chose the kernel");
  auto setup = bench_setup(options.run);
  check_outputs(options, setup.configuration);
  const auto plain = setup.configuration;
  use_tuned(setup, options.run);
  describe_run(setup.scene, options.steps);
  std::vector<BenchmarkRow> rows;
  for (const auto& configuration : {plain, setup.configuration}) {
    rows.push_back(time_configuration(setup.table, configuration, setup.scene, options.steps));
    rows.back().speedup = rows.front().kernel_ms / rows.back().kernel_ms;
  }
  rows.back().label = "tuned";
  report_rows(options, setup.table, dataset_text(setup.scene), rows);
  return 0;
}

/// All kernels with one number of bodies; returns what they were measured with, for people.
std::string time_size(const BenchOptions& options, const sim::OptionTable& table,
                      const std::optional<std::size_t>& bodies, const std::vector<std::string>& names,
                      std::vector<BenchmarkRow>& rows) {
  auto request = options.run.dataset;
  if (request.source.empty()) request.source = "plummer";
  request.bodies = bodies;
  const auto scene = load_dataset(request);
  report_notes(request, scene);
  auto configuration = table.defaults();
  apply_scene(configuration, scene);
  apply_assignments(table, configuration, options.run.assignments);
  const auto& varied = table.at(kernel_option(configuration));
  describe_run(scene, options.steps);
  const std::size_t first = rows.size();
  for (const auto& name : names) {
    // Of all kernels those run that can; one that was asked for by name is refused.
    const auto reason =
        sim::first_text(sim::world(), *options.kernels == "all"
                                          ? table.refusal(varied, name, configuration, option_context(scene))
                                          : std::string());
    if (!reason.empty()) {
      fmt::print(stderr, "{} is left out: {}\n", name, reason);
      continue;
    }
    configuration.set(varied.name, name);
    rows.push_back(time_configuration(table, configuration, scene, options.steps));
    rows.back().speedup = rows[first].kernel_ms / rows.back().kernel_ms;
  }
  return dataset_text(scene);
}

void refuse_several_sizes(const BenchOptions& options) {
  if (options.sizes.size() > 1 && (!options.pipeline.empty() || !options.sweep.empty() || options.tuned))
    throw sim::UsageError(
        "several --bodies go with kernels and --ladder; --pipeline, --sweep and --tuned take one");
}

}  // namespace

std::vector<std::optional<std::size_t>> sizes_of(const BenchOptions& options) {
  if (options.sizes.size() < 2) return {options.run.dataset.bodies};
  return {options.sizes.begin(), options.sizes.end()};
}

int bench_command(BenchOptions options) {
  if (options.steps < 1) throw sim::UsageError("--steps takes 1 or more");
  if (options.json == "-" && options.csv == "-")
    throw sim::UsageError("--json - and --csv - both want standard output");
  refuse_several_sizes(options);
  read_kernels_from(options.run.kernel_folder);
  if (options.ladder.name.empty() && !options.ladder.folder.empty())
    throw sim::UsageError("--ladders names a folder of ladders; --ladder NAME or all is missing");
  if (!options.ladder.name.empty() && (!options.sweep.empty() || options.tuned))
    throw sim::UsageError("--ladder excludes --sweep and --tuned: its rungs are whole configurations");
  if (!options.figure.empty() && (!options.sweep.empty() || !options.pipeline.empty()))
    throw sim::UsageError("--figure excludes --sweep and --pipeline: it shows plain kernels or a ladder");
  if (options.pipeline.empty() && !options.timeline.empty())
    throw sim::UsageError("--timeline needs --pipeline: it shows what the streams of the offline job did");
  if (!options.pipeline.empty()) {
    if (!options.ladder.name.empty() || !options.sweep.empty() || options.kernels)
      throw sim::UsageError(
          "--pipeline excludes --ladder, --sweep and --kernels; choose one kernel with --set");
    return bench_pipeline_command(options);
  }
  if (!options.ladder.name.empty()) return bench_ladder_command(options);
  if (!options.sweep.empty()) return sweep_command(options);
  if (options.tuned) return bench_tuned(options);
  take_kernels(options);
  const auto table = all_options();
  // Wrong names are found before anything is made or computed.
  auto configuration = table.defaults();
  apply_assignments(table, configuration, options.run.assignments);
  check_outputs(options, configuration);
  const auto& varied = table.at(kernel_option(configuration));
  const auto names = kernel_names(table, varied, *options.kernels);
  std::vector<BenchmarkRow> rows;
  std::string dataset;
  for (const auto& bodies : sizes_of(options)) {
    const auto text = time_size(options, table, bodies, names, rows);
    dataset += dataset.empty() ? text : ", " + text;
  }
  report_rows(options, table, dataset, rows);
  return 0;
}

}  // namespace orrery::app
