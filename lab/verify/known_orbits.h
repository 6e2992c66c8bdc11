#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <numbers>
#include <optional>
#include <vector>

#include "sim/bodies/bodies.h"
#include "sim/core/vec3.h"
#include "sim/options/configuration.h"
#include "sim/physics/physics.h"

/// Orbits of few bodies whose course is known without this program, and how far a method is from it. `orrery
/// verify` judges configurations by these numbers, the tests judge engines and integrators.
namespace orrery::lab {

/// The method under test: a number of steps of `physics`, one after the other. After each `every` of them,
/// and after the last, `look` sees the bodies. What it throws ends the run.
struct PhysicsRun {
  const sim::Bodies& start;
  sim::Physics physics;
  std::size_t steps = 0;
  std::size_t every = 1;
  std::function<void(const sim::Bodies& bodies)> look;
};
using Advance = std::function<void(const PhysicsRun& run)>;

/// Advances by an engine with that configuration; each run sets its physics. The table must outlive it.
/// Throws what the engine throws, and sim::Cancelled when a person interrupts.
Advance by_engine(const sim::OptionTable& table, const sim::Configuration& configuration);

/// The bodies at the end of a run.
sim::Bodies end_of(const Advance& advance, const sim::Bodies& start, const sim::Physics& physics,
                   std::size_t steps);
/// The largest distance of a body from its place in `expected`; infinite for what is no number.
double largest_distance(const std::vector<sim::Vec3>& position, const std::vector<sim::Vec3>& expected);
/// The sum of the squared distances; infinite where one of `a` is no number.
double squared_distance(const std::vector<sim::Vec3>& a, const std::vector<sim::Vec3>& b);
/// The exact energy, kinetic and potential.
double energy_of(const sim::Bodies& bodies, const sim::Physics& physics);
/// |a / b - 1|; infinite for what is no number.
double relative_change(double a, double b);

// Physics of these runs: softening and time step are set, everything else is the caller's.

/// Two bodies of mass 1/2 on an ellipse with a = 1 and that period, at apocentre, for G = 1.
sim::Bodies kepler_bodies(double eccentricity);
inline constexpr double kepler_period = 2.0 * std::numbers::pi;

/// Orbits of kepler_bodies in steps of one length.
struct KeplerRun {
  double eccentricity = 0.5;
  std::size_t steps_per_orbit = 100;
  std::size_t orbits = 1;
  std::size_t looks = 0;  ///< at the energy in each orbit; divides the steps; 0: after each step
};
/// The largest relative error of the energy.
double kepler_energy_error(const Advance& advance, sim::Physics physics, const KeplerRun& run);

/// The distance from pericentre after half an orbit of that many steps, for bodies like those of
/// kepler_bodies(0.5).
double pericentre_error(const Advance& advance, const sim::Bodies& start, sim::Physics physics,
                        std::size_t steps);

/// The difference from the start after so many steps and as many back.
struct Reversal {
  double position = 0.0, velocity = 0.0;
  double moved = 0.0;  ///< the largest change of a velocity in between
};
Reversal there_and_back(const Advance& advance, const sim::Bodies& start, sim::Physics physics,
                        std::size_t steps);

/// Lets a configuration move two bodies of unequal masses a quarter of a circle about each other, in 50
/// steps: the largest distance of a body from where it should be, relative to theirs. No other run is
/// compared with: the softened two-body problem has that solution, omega^2 = G (m1 + m2) / (d^2 +
/// eps^2)^(3/2). None if the configuration cannot run two bodies or is not of gravity.
std::optional<double> circle_error(const sim::OptionTable& table, const sim::Configuration& configuration);

/// The figure-eight (Chenciner & Montgomery 2000): bodies have changed places after a third of the period,
/// and are back after a whole one.
struct EightErrors {
  double third = 0.0;  ///< the largest distance from the place of the body before, after a third
  double end = 0.0;    ///< from the start, after all periods
};
/// The steps of a period must be a multiple of 3.
EightErrors figure_eight_errors(const Advance& advance, sim::Physics physics, std::size_t steps_per_period,
                                std::size_t periods = 1);

/// Where the three masses of the Pythagorean problem (Burrau 1913) are at t = 10: extrapolated midpoint rule
/// in 64-bit mantissas, two step lengths.
inline constexpr std::array<sim::DVec3, 3> pythagorean_at_10{sim::DVec3{0.77848041, 0.14139230, 0},
                                                             sim::DVec3{-2.02509248, 0.09721938, 0},
                                                             sim::DVec3{1.15298574, -0.16261089, 0}};
/// The largest distance of one of the three bodies from its place in pythagorean_at_10.
double pythagorean_error(const std::vector<sim::Vec3>& position);

}  // namespace orrery::lab
