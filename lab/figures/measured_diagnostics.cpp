#include "lab/figures/measured_diagnostics.h"

#include "lab/figures/stepping.h"
#include "sim/core/interrupt.h"
#include "sim/cpu/cpu_options.h"
#include "sim/options/physics_options.h"

namespace orrery::lab {

DiagnosticsLog measured_diagnostics(const BenchSetup& setup, int steps, int stride) {
  DiagnosticsLog log;
  log.units = setup.scene.units;
  const auto physics = sim::physics_of(setup.configuration);
  auto bodies = setup.scene.bodies;
  const auto galaxies = bodies.galaxies();
  run_variants(setup, variants_of(setup, {}), steps, stride, [&](std::size_t, sim::Engine& engine) {
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
  });
  return log;
}

}  // namespace orrery::lab
