#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "sim/bodies/bodies.h"
#include "sim/core/vec3.h"
#include "sim/physics/diagnostics/diagnostics.h"

/// Checks with known answers for anything that advances bodies: the integrators with a direct sum, and every
/// engine. Each check is also shown to fail for a broken method (integrator_test.cpp, models_test.cpp).
namespace orrery::sim::checks {

/// The system that a method under test advances. G and softening stay, the state changes.
struct System {
  std::vector<Vec3> position;
  std::vector<Vec3> velocity;
  std::vector<float> mass;
  double gravitational_constant = 1.0;
  double softening = 0.0;
};

/// Advances the system by `steps` steps of dt (which may be negative), starting afresh from its state.
using Advance = std::function<void(System& system, int steps, double dt)>;

System system_of(const Bodies& bodies, double gravitational_constant, double softening);
/// Energy, momentum and the rest, exact.
Diagnostics measure(const System& system);

/// Two bodies of mass 1/2 on an ellipse with a = 1, period 2 pi, at apocentre.
System kepler_system(double eccentricity);
/// The largest |E - E0| / |E0| over `orbits` orbits of `steps_per_orbit` steps; looked at `looks` times an
/// orbit, which divides these, or after each step.
double kepler_energy_error(const Advance& advance, double eccentricity, int steps_per_orbit, int orbits = 10,
                           int looks = 0);

/// A row of a published or independently computed table: e = 0.5, 10 orbits.
struct KeplerRow {
  int steps_per_orbit;
  double energy_error;
};
std::vector<KeplerRow> leapfrog_rows();
std::vector<KeplerRow> symplectic_euler_rows();
/// Every row is met within 5 %.
testing::AssertionResult kepler_errors_are(const Advance& advance, const std::vector<KeplerRow>& rows);
/// The slope of log(energy error) against log(dt) is `order` within 0.1. The error is largest at pericentre,
/// in every orbit: where steps take long, one orbit gives the same slope.
testing::AssertionResult kepler_order_is(const Advance& advance, double order, int orbits = 10);
/// Back at apocentre after ten orbits the energy is what it was: errors of a symplectic method come back.
testing::AssertionResult kepler_energy_does_not_drift(const Advance& advance);
/// n steps of dt and n of -dt lead back to the start, to single precision.
testing::AssertionResult is_time_reversible(const Advance& advance);

/// Figure-eight (Chenciner & Montgomery 2000): bodies have changed places after a third of the period and are
/// back after a whole one, within `tolerance`, with `steps` steps to the period (a multiple of 3).
testing::AssertionResult figure_eight_returns(const Advance& advance, int steps, double tolerance);

/// Momentum and angular momentum of a small rotating cluster are kept to single precision.
testing::AssertionResult momentum_is_conserved(const Advance& advance);

/// K, W, E, Q and the Lagrange radii of a Plummer sphere in standard units (G = M = 1, E = -1/4).
testing::AssertionResult is_plummer_in_standard_units(const Diagnostics& diagnostics);

/// K / |sum m x.a|: 1/2 in equilibrium for any softening, unlike K / |W| (x from the centre of mass).
double clausius_ratio(const System& system);

}  // namespace orrery::sim::checks
