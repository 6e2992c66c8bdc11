#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "lab/diagnostics/diagnostics_log.h"
#include "lab/runs/run_measurement.h"
#include "sim/core/error.h"
#include "sim/core/interrupt.h"
#include "sim/cpu/cpu_options.h"
#include "sim/options/physics_options.h"

namespace orrery::lab {

namespace {

/// Energies are exact up to 200 000 bodies; what else is found is from a sample (sim::CenteringRequest). When
/// a person interrupts, what was sampled before is kept.
DiagnosticsLog measured_diagnostics(const BenchSetup& setup, const RunLength& length) {
  DiagnosticsLog log;
  log.units = setup.scene.units;
  const auto physics = sim::physics_of(setup.configuration);
  auto bodies = setup.scene.bodies;
  const auto galaxies = bodies.galaxies();
  const auto sample = [&](std::size_t, sim::Engine& engine) {
    engine.read_back(bodies);
    const auto state = sim::view_of(bodies, galaxies);
    const double time = engine.status().time;
    const auto sums = sim::diagnose(
        state,
        {.physics = physics, .threads = sim::available_processors(), .interrupt = sim::interrupt_flag()});
    log.add(time, sim::counted_from_zero(sums, bodies.origin));
    auto structure = sim::structure_of(state, bodies.component, physics);
    structure.center += bodies.origin;
    log.add(time, structure);
  };
  try {
    run_variants(setup, variants_of(setup, {}), length, sample);
  } catch (const sim::Cancelled&) {
    if (log.past.empty()) throw;
  }
  return log;
}

nlohmann::json diagnostics_document(const BenchSetup& setup, const DiagnosticsLog& log, int steps) {
  auto document = document_head(setup, "diagnostics");
  document["options"] = fmt::format("{} steps{}", steps, sim::interrupted() ? ", interrupted" : "");
  to_document(document, log);
  return document;
}

nlohmann::json measure_diagnostics(BenchSetup& setup, const RunRequest& request) {
  const RunLength length{.steps = request.steps.value_or(0), .stride = request.every.value_or(1)};
  return diagnostics_document(setup, measured_diagnostics(setup, length), length.steps);
}

}  // namespace

extern constinit const RunMeasurement diagnostics_measurement{
    .name = "diagnostics",
    .meaning = "energies, momenta, Lagrange radii, bound share, bar strength and profiles",
    .drawn_by = "diagnostics",
    .double_precision = true,
    .measure = measure_diagnostics,
};

}  // namespace orrery::lab
