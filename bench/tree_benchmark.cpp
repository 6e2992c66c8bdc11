// Steps and force errors of approximate kernels beside others: one line of JSON for each dataset, number of
// bodies and setting. Each dataset has its own physics, as the program starts it. Sample accelerations of the
// first step are compared with sums in double precision.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/commands/small_program.h"
#include "bench/settings.h"
#include "lab/bench/engine_facts.h"
#include "lab/setup/dataset.h"
#include "sim/cpu/cpu_options.h"
#include "sim/cuda/sources/kernel_files.h"
#include "sim/physics/diagnostics/force_error.h"
#include "sim/simulation/engine_registry.h"
#include "sim/simulation/simulation_options.h"
#include "tests/sim/cuda/repeated_gpu.h"

namespace orrery::bench {

namespace {

using Clock = std::chrono::steady_clock;

struct Arguments {
  std::vector<std::string> datasets{"plummer"};
  std::vector<std::uint64_t> bodies{1'048'576};
  std::vector<std::string> settings{"engine=cuda,family=tree"};
  int steps = 20;
  int repeats = 5;
  std::uint64_t sampled = 2000;
  int parts = 1;  ///< domains of a GPU
  std::string sources;
};

void make_steps(sim::Engine& engine, int steps) {
  for (int k = 0; k < steps; ++k) engine.advance({});
  engine.finish();
}

/// Milliseconds a step: the median, least and most of some runs of steps.
nlohmann::json step_times(sim::Engine& engine, const Arguments& arguments) {
  std::vector<double> times;
  make_steps(engine, 3);
  for (int k = 0; k < arguments.repeats; ++k) {
    const auto start = Clock::now();
    make_steps(engine, arguments.steps);
    const std::chrono::duration<double, std::milli> took = Clock::now() - start;
    times.push_back(took.count() / arguments.steps);
  }
  std::ranges::sort(times);
  return {{"median", times[times.size() / 2]}, {"least", times.front()}, {"most", times.back()}};
}

/// The force error of the first evaluation.
nlohmann::json error_of(sim::Engine& engine, std::size_t sampled) {
  if (sampled == 0) return nullptr;
  engine.observe({.forces = sampled, .seed = 1});
  make_steps(engine, 1);
  const auto error = sim::force_error(engine.poll().forces.value(), sim::available_processors());
  return {{"median", error.median},
          {"p99", error.p99},
          {"maximum", error.maximum},
          {"stated_median", error.stated.median},
          {"stated_p99", error.stated.p99}};
}

nlohmann::json measured(const sim::Scene& scene, const std::string& settings, const Arguments& arguments) {
  sim::OptionTable table;
  sim::add_simulation_options(table);
  auto configuration = configured(table, scene, settings);
  const sim::checks::RepeatedGpu parts(arguments.parts);
  sim::checks::RepeatedGpu::apply(configuration);
  const auto engine = sim::make_engine(table, configuration);
  engine->load(scene.bodies, scene.time);
  const auto bodies = scene.bodies.size();
  nlohmann::json line{{"settings", settings},
                      {"bodies", bodies},
                      {"softening", configuration.real("softening")},
                      {"time_step", configuration.real("time-step")}};
  line["force_error"] = error_of(*engine, std::min<std::size_t>(arguments.sampled, bodies));
  line["step_ms"] = step_times(*engine, arguments);
  const auto timings = engine->status().timings;
  line["force_ms"] = timings.force_ms;
  line["interactions_per_body"] = timings.interactions / static_cast<double>(bodies);
  line["facts"] = lab::report_json(engine->report(), timings.interactions / timings.force_ms * 1e-6);
  return line;
}

void measure_dataset(const lab::DatasetRequest& request, const Arguments& arguments) {
  const auto scene = lab::load_dataset(request);
  for (const auto& settings : arguments.settings) {
    nlohmann::json line{{"model", request.source}};
    line.update(measured(scene, settings, arguments));
    fmt::print("{}\n", line.dump());
    std::fflush(stdout);
  }
}

void measure_all(const Arguments& arguments) {
  if (!arguments.sources.empty())
    sim::cuda::use_kernel_files(sim::cuda::read_kernel_folder(arguments.sources, false));
  for (const auto& name : arguments.datasets) {
    lab::DatasetRequest request{.source = name};
    if (lab::is_file(request)) {
      measure_dataset(request, arguments);
      continue;
    }
    for (const auto bodies : arguments.bodies) {
      request.bodies = bodies;
      measure_dataset(request, arguments);
    }
  }
}

void declare(app::Arguments& program, Arguments& arguments) {
  program.value("--models", arguments.datasets, "Built-in galaxies and files (default plummer)")
      .shown_as("NAME|FILE,...")
      .comma_separated();
  program.value("--bodies", arguments.bodies, "Numbers of bodies of built-in galaxies (default 1048576)")
      .shown_as("N,...")
      .comma_separated();
  program
      .value("--set", arguments.settings,
             "Options; again for another row (default engine=cuda,family=tree). Softening, G, time step and "
             "the like are the dataset's own unless they are set.")
      .shown_as("NAME=VALUE,...")
      .one_each_time();
  program.value("--steps", arguments.steps, "Steps of a run (default 20)").whole_number(1, 1'000'000);
  program.value("--repeats", arguments.repeats, "Runs, of which the median counts (default 5)")
      .whole_number(1, 1'000'000);
  program.value("--sampled", arguments.sampled, "Bodies whose forces are compared (default 2000); 0: none");
  program.value("--parts-of-gpu", arguments.parts, "Domains of each GPU (default 1)").whole_number(1, 16);
  program.value("--kernel-sources", arguments.sources, "A folder of edited kernels (orrery kernels --help)")
      .shown_as("DIR");
}

}  // namespace

}  // namespace orrery::bench

int main(int argc, char** argv) {
  orrery::bench::Arguments arguments;
  return orrery::app::run(
      {.name = "bench_tree",
       .meaning = "Times steps of a tree, and measures its force errors, beside other kernels. Prints lines "
                  "of JSON.",
       .declare = [&](orrery::app::Arguments& program) { orrery::bench::declare(program, arguments); },
       .work = [&] { orrery::bench::measure_all(arguments); }},
      argc, argv);
}
