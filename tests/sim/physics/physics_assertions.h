#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "lab/verify/known_orbits.h"
#include "sim/physics/diagnostics/diagnostics.h"

/// What is known of the orbits of lab/verify/known_orbits.h and of many bodies, as assertions about anything
/// that advances bodies: the integrators with a direct sum, and every engine. `physics` names what the run
/// takes from the caller, as the integrator. Each check is also shown to fail for a broken method
/// (integrator_test.cpp, models_test.cpp).
namespace orrery::sim::checks {

using lab::Advance;

/// A row of a published or independently computed table: e = 0.5, 10 orbits.
struct KeplerRow {
  std::size_t steps_per_orbit;
  double energy_error;
};
std::vector<KeplerRow> leapfrog_rows();
std::vector<KeplerRow> symplectic_euler_rows();
/// Every row is met within 5 %.
testing::AssertionResult kepler_errors_are(const Advance& advance, const std::vector<KeplerRow>& rows);
/// The slope of log(energy error) against log(dt) is `order` within 0.1. The error is largest at pericentre,
/// in every orbit: where steps take long, one orbit gives the same slope.
testing::AssertionResult kepler_order_is(const Advance& advance, double order, std::size_t orbits = 10,
                                         const Physics& physics = {});
/// Back at apocentre after ten orbits the energy is what it was: errors of a symplectic method come back.
testing::AssertionResult kepler_energy_does_not_drift(const Advance& advance);
/// n steps of dt and n of -dt lead back to the start, to single precision.
testing::AssertionResult is_time_reversible(const Advance& advance);

/// The figure-eight's bodies have changed places after a third of the period and are back after a whole one,
/// within `tolerance`, with that many steps to the period (a multiple of 3).
testing::AssertionResult figure_eight_returns(const Advance& advance, std::size_t steps, double tolerance);

/// Momentum and angular momentum of a small rotating cluster are kept to single precision.
testing::AssertionResult momentum_is_conserved(const Advance& advance, Physics physics = {});

/// K, W, E, Q and the Lagrange radii of a Plummer sphere in standard units (G = M = 1, E = -1/4).
testing::AssertionResult is_plummer_in_standard_units(const Diagnostics& diagnostics);

/// K / |sum m x.a|: 1/2 in equilibrium for any softening, unlike K / |W| (x from the centre of mass).
double clausius_ratio(const Bodies& bodies, const Physics& physics);

}  // namespace orrery::sim::checks
