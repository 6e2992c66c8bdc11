// What block time steps cost and keep beside steps of one length for all: one line of JSON for each setting,
// over the same time. The model has its own physics unless the setting says otherwise.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/settings.h"
#include "sim/core/error.h"
#include "sim/cpu/cpu_options.h"
#include "sim/galaxies/model.h"
#include "sim/options/physics_options.h"
#include "sim/physics/diagnostics/diagnostics.h"
#include "sim/simulation/engine_registry.h"
#include "sim/simulation/simulation_options.h"

namespace orrery::bench {

namespace {

using Clock = std::chrono::steady_clock;

struct Arguments {
  std::string model = "hernquist";
  std::size_t bodies = 65'536;
  std::vector<std::string> settings;
  double time = 1.0;
  int looks = 4;
};

double energy_of(const sim::Bodies& bodies, const sim::Physics& physics) {
  const auto galaxies = bodies.galaxies();
  const sim::DiagnosticsRequest request{
      .physics = physics, .exact_limit = 300'000, .threads = sim::available_processors()};
  return sim::diagnose(sim::view_of(bodies, galaxies), request).energy();
}

/// Sums over all steps of a run.
struct Counts {
  double seconds = 0.0, block_times = 0.0, forces = 0.0;
  int steps = 0;
};

void make_steps(sim::Engine& engine, int steps, Counts& counts) {
  const auto start = Clock::now();
  for (int k = 0; k < steps;) {
    if (!engine.advance({})) continue;
    ++k;
    const auto report = engine.report();
    counts.block_times += std::max(1.0, report.number("block_times"));
    counts.forces += std::max(1.0, report.number("forces_of_body"));
  }
  engine.finish();
  counts.seconds += std::chrono::duration<double>(Clock::now() - start).count();
  counts.steps += steps;
}

nlohmann::json measured(const sim::Scene& scene, const std::string& settings, const Arguments& arguments) {
  sim::OptionTable table;
  sim::add_simulation_options(table);
  const auto& bodies = scene.bodies;
  const auto configuration = configured(table, scene, settings);
  const auto physics = sim::physics_of(configuration);
  const auto engine = sim::make_engine(table, configuration);
  engine->load(bodies, 0.0);
  // Compiles, and computes the forces of the begin.
  Counts first, counts;
  make_steps(*engine, 1, first);
  auto now = bodies;
  engine->read_back(now);
  const double before = energy_of(now, physics);
  const int steps = std::max(1, static_cast<int>(std::lround(arguments.time / physics.time_step)));
  double largest = 0.0;
  for (int look = 0; look < arguments.looks; ++look) {
    make_steps(*engine, steps * (look + 1) / arguments.looks - counts.steps, counts);
    engine->read_back(now);
    largest = std::max(largest, std::abs(energy_of(now, physics) / before - 1.0));
  }
  return {{"settings", settings},
          {"steps", counts.steps},
          {"step_ms", 1e3 * counts.seconds / counts.steps},
          {"seconds_of_unit_time", counts.seconds / (physics.time_step * counts.steps)},
          {"block_times", counts.block_times / counts.steps},
          {"forces_of_body", counts.forces / counts.steps},
          {"energy_error", largest}};
}

void measure_all(const Arguments& arguments) {
  const auto scene = sim::make_galaxy(arguments.model, {.bodies = arguments.bodies, .seed = 1});
  for (const auto& settings : arguments.settings) {
    nlohmann::json line{{"model", arguments.model}, {"bodies", arguments.bodies}};
    line.update(measured(scene, settings, arguments));
    fmt::print("{}\n", line.dump());
    std::fflush(stdout);
  }
}

}  // namespace

}  // namespace orrery::bench

int main(int argc, char** argv) {
  orrery::bench::Arguments arguments;
  CLI::App app{"block time steps beside steps of one length, as lines of JSON"};
  app.add_option("--model", arguments.model, "A built-in galaxy");
  app.add_option("--bodies", arguments.bodies, "Its bodies");
  app.add_option("--set", arguments.settings, "Options, NAME=VALUE,...; again for another row")->required();
  app.add_option("--time", arguments.time, "How far each row goes");
  app.add_option("--looks", arguments.looks, "How often the energy is looked at")->check(CLI::Range(1, 1000));
  CLI11_PARSE(app, argc, argv);
  try {
    orrery::bench::measure_all(arguments);
  } catch (const orrery::sim::Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
  return 0;
}
