#include "physics_checks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "sim/galaxies/model.h"
#include "sim/physics/diagnostics/force_error.h"

namespace orrery::sim::checks {

namespace {

constexpr double period = 2.0 * std::numbers::pi;

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

double largest_distance(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double distance = norm(DVec3(a[i]) - DVec3(b[i]));
    if (!(distance <= largest)) largest = distance;  // NaN wins
  }
  return largest;
}

}  // namespace

System system_of(const Bodies& bodies, double gravitational_constant, double softening) {
  return {bodies.position, bodies.velocity, bodies.mass, gravitational_constant, softening};
}

Diagnostics measure(const System& system) {
  const std::array<GalaxyRange, 1> galaxies{{{0, system.mass.size()}}};
  DiagnosticsRequest request;
  request.physics.gravitational_constant = system.gravitational_constant;
  request.physics.softening = system.softening;
  return diagnose({system.position, system.velocity, system.mass, galaxies}, request);
}

System kepler_system(double eccentricity) {
  const auto r = static_cast<float>(0.5 * (1.0 + eccentricity));
  const auto v = static_cast<float>(0.5 * std::sqrt((1.0 - eccentricity) / (1.0 + eccentricity)));
  return {{{-r, 0, 0}, {r, 0, 0}}, {{0, -v, 0}, {0, v, 0}}, {0.5F, 0.5F}};
}

double kepler_energy_error(const Advance& advance, double eccentricity, int steps_per_orbit, int orbits,
                           int looks) {
  System system = kepler_system(eccentricity);
  const double start = measure(system).energy();
  const int between = looks > 0 ? steps_per_orbit / looks : 1;
  double largest = 0.0;
  for (int k = 0; k < orbits * steps_per_orbit; k += between) {
    advance(system, between, period / steps_per_orbit);
    largest = std::max(largest, std::abs(measure(system).energy() / start - 1.0));
  }
  return largest;
}

// Computed independently in double and quadruple precision.
std::vector<KeplerRow> leapfrog_rows() { return {{100, 1.03e-2}, {200, 2.6e-3}, {400, 6.6e-4}}; }
std::vector<KeplerRow> symplectic_euler_rows() { return {{100, 9.3e-2}, {200, 4.5e-2}, {400, 2.2e-2}}; }

testing::AssertionResult kepler_errors_are(const Advance& advance, const std::vector<KeplerRow>& rows) {
  for (const KeplerRow& row : rows) {
    const double error = kepler_energy_error(advance, 0.5, row.steps_per_orbit);
    const auto result = near("energy error", error, row.energy_error, 0.05 * row.energy_error);
    if (!result) return testing::AssertionFailure() << row.steps_per_orbit << " steps: " << result.message();
  }
  return testing::AssertionSuccess();
}

testing::AssertionResult kepler_order_is(const Advance& advance, double order, int orbits) {
  const int looks = 20;  // at the same places: each is a wait for a GPU
  const double coarse = kepler_energy_error(advance, 0.5, 100, orbits, looks);
  const double fine = kepler_energy_error(advance, 0.5, 400, orbits, looks);
  return near("order", std::log(coarse / fine) / std::log(4.0), order, 0.1);
}

testing::AssertionResult kepler_energy_does_not_drift(const Advance& advance) {
  System system = kepler_system(0.5);
  const double start = measure(system).energy();
  advance(system, 10 * 200, period / 200);
  return near("energy after ten orbits / at the start", measure(system).energy() / start, 1.0, 2e-5);
}

// 3.3 orbits: from apocentre to apocentre any method would look reversible, by symmetry.
testing::AssertionResult is_time_reversible(const Advance& advance) {
  const System start = kepler_system(0.5);
  System system = start;
  advance(system, 330, period / 100);
  const double gone = largest_distance(system.velocity, start.velocity);
  advance(system, 330, -period / 100);
  return all_of(
      {near("distance from the start", largest_distance(system.position, start.position), 0.0, 2e-4),
       near("difference of velocity", largest_distance(system.velocity, start.velocity), 0.0, 2e-4),
       gone > 1e-3 ? testing::AssertionSuccess() : testing::AssertionFailure() << "the bodies did not move"});
}

testing::AssertionResult figure_eight_returns(const Advance& advance, int steps, double tolerance) {
  constexpr double eight_period = 6.32591398;
  const System start = system_of(make_galaxy("figure-eight", {}).bodies, 1.0, 0.0);
  const double dt = eight_period / steps;
  System system = start;
  advance(system, steps / 3, dt);
  // Which body is where after a third: the first in the middle, the second at the first's place.
  const std::vector<Vec3> permuted{start.position[2], start.position[0], start.position[1]};
  const double third = largest_distance(system.position, permuted);
  advance(system, steps - steps / 3, dt);
  return all_of(
      {near("distance after a third of the period", third, 0.0, tolerance),
       near("distance after a period", largest_distance(system.position, start.position), 0.0, tolerance)});
}

testing::AssertionResult momentum_is_conserved(const Advance& advance) {
  const Scene scene = make_galaxy("plummer", {128, 3});
  System system = system_of(scene.bodies, 1.0, scene.physics.softening);
  for (std::size_t i = 0; i < system.mass.size(); ++i) {
    system.velocity[i] += cross(Vec3{0, 0, 0.3F}, system.position[i]) + Vec3{0.1F, 0, 0};
  }
  const Diagnostics before = measure(system);
  advance(system, 200, 1.0 / 64.0);
  const Diagnostics after = measure(system);
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

double clausius_ratio(const System& system) {
  ForceSample all;
  all.position = system.position;
  all.mass = system.mass;
  all.galaxies = {{0, system.mass.size()}};
  all.physics.gravitational_constant = system.gravitational_constant;
  all.physics.softening = system.softening;
  const Diagnostics measured = measure(system);
  double virial = 0.0;
  for (std::size_t i = 0; i < system.mass.size(); ++i) {
    const DVec3 x = DVec3(system.position[i]) - measured.center_of_mass;
    virial += system.mass[i] * dot(x, reference_acceleration(all, i));
  }
  return measured.kinetic / -virial;
}

}  // namespace orrery::sim::checks
