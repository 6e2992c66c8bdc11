// Steps and force errors of approximate kernels beside others: one line of JSON for each number of bodies and
// each setting. Sample accelerations are compared with sums in double precision.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/core/error.h"
#include "sim/cuda/sources/kernel_files.h"
#include "sim/galaxies/model.h"
#include "sim/physics/force_error.h"
#include "sim/simulation/engine_registry.h"
#include "sim/simulation/simulation_options.h"

namespace orrery::bench {

namespace {

using Clock = std::chrono::steady_clock;

struct Arguments {
  std::vector<std::string> models{"plummer"};
  std::vector<std::size_t> bodies{1'048'576};
  std::vector<std::string> settings{"engine=cuda,family=tree"};
  int steps = 20;
  int repeats = 5;
  std::size_t sampled = 1000;
  std::string sources;
};

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find(',', begin), text.size());
    if (end > begin) parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

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

/// Of the first force evaluation.
nlohmann::json error_of(sim::Engine& engine, std::size_t sampled) {
  if (sampled == 0) return nullptr;
  engine.observe({.forces = sampled, .seed = 1});
  make_steps(engine, 1);
  const auto error = sim::force_error(engine.collect().forces.value());
  return {{"median", error.median}, {"p99", error.p99}, {"maximum", error.maximum}};
}

nlohmann::json measured(const sim::Bodies& bodies, const std::string& settings, const Arguments& arguments) {
  sim::OptionTable table;
  sim::add_simulation_options(table);
  auto configuration = table.defaults();
  for (const auto& each : split(settings)) table.assign(configuration, each);
  const auto engine = sim::make_engine(table, configuration);
  engine->load(bodies, 0.0);
  nlohmann::json line{{"settings", settings}, {"bodies", bodies.size()}};
  line["force_error"] = error_of(*engine, std::min(arguments.sampled, bodies.size()));
  line["step_ms"] = step_times(*engine, arguments);
  const auto timings = engine->status().timings;
  line["force_ms"] = timings.force_ms;
  line["sums_per_body"] = timings.interactions / static_cast<double>(bodies.size());
  for (const auto& fact : engine->report().facts) {
    if (const auto* number = std::get_if<std::int64_t>(&fact.value)) line["facts"][fact.key] = *number;
    if (const auto* number = std::get_if<double>(&fact.value)) line["facts"][fact.key] = *number;
  }
  return line;
}

void measure_all(const Arguments& arguments) {
  for (const auto& model : arguments.models) {
    for (const auto count : arguments.bodies) {
      const auto bodies = sim::make_galaxy(model, {.bodies = count, .seed = 1}).bodies;
      for (const auto& settings : arguments.settings) {
        nlohmann::json line{{"model", model}};
        line.update(measured(bodies, settings, arguments));
        fmt::print("{}\n", line.dump());
        std::fflush(stdout);
      }
    }
  }
}

}  // namespace

}  // namespace orrery::bench

int main(int argc, char** argv) {
  orrery::bench::Arguments arguments;
  CLI::App app{"Steps and force errors of kernels, as lines of JSON"};
  app.add_option("--models", arguments.models, "Built-in galaxies")->delimiter(',');
  app.add_option("--bodies", arguments.bodies, "Numbers of bodies")->delimiter(',');
  app.add_option("--set", arguments.settings, "Options, NAME=VALUE,...; again for another row");
  app.add_option("--steps", arguments.steps, "Steps of a run");
  app.add_option("--repeats", arguments.repeats, "Runs, of which the median counts");
  app.add_option("--sampled", arguments.sampled, "Bodies whose forces are compared; 0: none");
  app.add_option("--kernel-sources", arguments.sources, "A folder of edited kernels (orrery kernels --help)");
  CLI11_PARSE(app, argc, argv);
  try {
    if (!arguments.sources.empty())
      orrery::sim::cuda::use_kernel_files(orrery::sim::cuda::read_kernel_folder(arguments.sources, false));
    orrery::bench::measure_all(arguments);
  } catch (const orrery::sim::Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
  return 0;
}
