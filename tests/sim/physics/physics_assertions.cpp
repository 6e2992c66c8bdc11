#include "physics_assertions.h"

#include <cmath>

#include "sim/galaxies/model.h"
#include "sim/physics/diagnostics/force_error.h"

namespace orrery::sim::checks {

namespace {

testing::AssertionResult near(const char* what, double value, double expected, double tolerance) {
  if (std::abs(value - expected) <= tolerance) return testing::AssertionSuccess();
  return testing::AssertionFailure() << what << " is " << value << ", expected " << expected << " within "
                                     << tolerance;
}

// The first failure of several.
testing::AssertionResult all_of(std::initializer_list<testing::AssertionResult> results) {
  for (const auto& each : results) {
    if (!each) return each;
  }
  return testing::AssertionSuccess();
}

Diagnostics measure(const Bodies& bodies, const Physics& physics) {
  const auto galaxies = bodies.galaxies();
  return diagnose(view_of(bodies, galaxies), {.physics = physics});
}

}  // namespace

// Computed independently in double and quadruple precision.
std::vector<KeplerRow> leapfrog_rows() { return {{100, 1.03e-2}, {200, 2.6e-3}, {400, 6.6e-4}}; }
std::vector<KeplerRow> symplectic_euler_rows() { return {{100, 9.3e-2}, {200, 4.5e-2}, {400, 2.2e-2}}; }

testing::AssertionResult kepler_errors_are(const Advance& advance, const std::vector<KeplerRow>& rows) {
  for (const KeplerRow& row : rows) {
    const double error =
        lab::kepler_energy_error(advance, {}, {.steps_per_orbit = row.steps_per_orbit, .orbits = 10});
    const auto result = near("energy error", error, row.energy_error, 0.05 * row.energy_error);
    if (!result) return testing::AssertionFailure() << row.steps_per_orbit << " steps: " << result.message();
  }
  return testing::AssertionSuccess();
}

testing::AssertionResult kepler_order_is(const Advance& advance, double order, std::size_t orbits,
                                         const Physics& physics) {
  const auto error = [&](std::size_t steps) {
    // At the same places: each look is a wait for a GPU.
    return lab::kepler_energy_error(advance, physics,
                                    {.steps_per_orbit = steps, .orbits = orbits, .looks = 20});
  };
  return near("order", std::log(error(100) / error(400)) / std::log(4.0), order, 0.1);
}

testing::AssertionResult kepler_energy_does_not_drift(const Advance& advance) {
  const double changed =
      lab::kepler_energy_error(advance, {}, {.steps_per_orbit = 200, .orbits = 10, .looks = 1});
  return near("energy after ten orbits / at the start", changed, 0.0, 2e-5);
}

// 3.3 orbits: from apocentre to apocentre any method would look reversible, by symmetry.
testing::AssertionResult is_time_reversible(const Advance& advance) {
  const auto errors =
      lab::there_and_back(advance, lab::kepler_bodies(0.5), {.time_step = lab::kepler_period / 100.0}, 330);
  return all_of({near("distance from the start", errors.position, 0.0, 2e-4),
                 near("difference of velocity", errors.velocity, 0.0, 2e-4),
                 errors.moved > 1e-3 ? testing::AssertionSuccess()
                                     : testing::AssertionFailure() << "the bodies did not move"});
}

testing::AssertionResult figure_eight_returns(const Advance& advance, std::size_t steps, double tolerance) {
  const auto errors = lab::figure_eight_errors(advance, {}, steps);
  return all_of({near("distance after a third of the period", errors.third, 0.0, tolerance),
                 near("distance after a period", errors.end, 0.0, tolerance)});
}

testing::AssertionResult momentum_is_conserved(const Advance& advance, Physics physics) {
  auto scene = make_galaxy("plummer", {128, 3});
  auto& bodies = scene.bodies;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    bodies.velocity[i] += cross(Vec3{0, 0, 0.3F}, bodies.position[i]) + Vec3{0.1F, 0, 0};
  physics.softening = scene.physics.softening;
  physics.time_step = 1.0 / 64.0;
  const Diagnostics before = measure(bodies, physics);
  const Diagnostics after = measure(lab::end_of(advance, bodies, physics, 200), physics);
  return all_of({near("momentum", norm(after.momentum - before.momentum), 0.0, 3e-6),
                 near("angular momentum", norm(after.angular_momentum - before.angular_momentum), 0.0, 1e-5),
                 near("motion of the centre",
                      norm(after.center_of_mass - before.center_of_mass - before.momentum * (200.0 / 64.0)),
                      0.0, 1e-5)});
}

testing::AssertionResult is_plummer_in_standard_units(const Diagnostics& measured) {
  return all_of({near("mass", measured.mass, 1.0, 1e-5), near("K", measured.kinetic, 0.25, 1e-3),
                 near("W", measured.potential, -0.5, 2e-3), near("E", measured.energy(), -0.25, 2e-3),
                 near("Q", measured.virial_ratio(), 0.5, 2e-3), near("r10", measured.r10, 0.3094, 0.02),
                 near("r50", measured.r50, 0.7686, 0.03), near("r90", measured.r90, 2.177, 0.12)});
}

double clausius_ratio(const Bodies& bodies, const Physics& physics) {
  ForceSample all;
  all.position = bodies.position;
  all.mass = bodies.mass;
  all.galaxies = {{0, bodies.size()}};
  all.physics = physics;
  const Diagnostics measured = measure(bodies, physics);
  double virial = 0.0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const DVec3 x = DVec3(bodies.position[i]) - measured.center_of_mass;
    virial += bodies.mass[i] * dot(x, reference_acceleration(all, i));
  }
  return measured.kinetic / -virial;
}

}  // namespace orrery::sim::checks
