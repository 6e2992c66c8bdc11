#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "lab/runs/run_measurement.h"
#include "sim/core/interrupt.h"
#include "sim/cpu/cpu_options.h"
#include "sim/options/physics_options.h"
#include "sim/simulation/monitor.h"

namespace orrery::lab {

namespace {

using nlohmann::json;

sim::Diagnostics diagnostics_of(sim::Engine& engine, const BenchSetup& setup,
                                const sim::Configuration& configuration) {
  auto bodies = setup.scene.bodies;
  engine.read_back(bodies);
  const auto galaxies = bodies.galaxies();
  return sim::diagnose(sim::view_of(bodies, galaxies), {.physics = sim::physics_of(configuration),
                                                        .threads = sim::available_processors(),
                                                        .interrupt = sim::interrupt_flag()});
}

json measure_energy(BenchSetup& setup, const RunRequest& request) {
  constexpr int usual_steps = 500, looks = 200;
  const auto variants = variants_of(setup, request.vary);
  auto document = document_head(setup, "energy");
  const auto physics = sim::physics_of(setup.configuration);
  document["options"] =
      fmt::format("time step {:.4g}", physics.time_step) +
      (request.vary.empty() ? fmt::format(", {}", physics.integrator->name) : std::string());
  auto series = empty_series(variants, {"time", "energy_drift", "momentum_drift", "angular_momentum_drift"});
  std::vector<sim::Diagnostics> start(variants.size());
  run_variants(setup, variants, length_of(request, usual_steps, looks),
               [&](std::size_t k, sim::Engine& engine) {
                 const auto now = diagnostics_of(engine, setup, variants[k].configuration);
                 if (series[k]["time"].empty()) start[k] = now;
                 sim::Health health;
                 sim::set_drifts(health, start[k], now);
                 series[k]["time"].push_back(engine.status().time);
                 series[k]["energy_drift"].push_back(health.energy_drift);
                 series[k]["momentum_drift"].push_back(health.momentum_drift);
                 series[k]["angular_momentum_drift"].push_back(health.angular_momentum_drift);
               });
  document["series"] = std::move(series);
  return document;
}

}  // namespace

extern constinit const RunMeasurement energy_measurement{
    .name = "energy",
    .meaning = "drift of energy, momentum and angular momentum over time",
    .drawn_by = "energy",
    .varies = true,
    .measure = measure_energy,
};

}  // namespace orrery::lab
