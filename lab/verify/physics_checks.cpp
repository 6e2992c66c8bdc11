#include "lab/verify/physics_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "lab/verify/many_body_checks.h"
#include "lab/verify/solar_system_check.h"
#include "sim/core/interrupt.h"
#include "sim/galaxies/model.h"
#include "sim/options/physics_options.h"
#include "sim/physics/diagnostics/diagnostics.h"
#include "sim/simulation/engine_registry.h"

namespace orrery::lab {

namespace {

using sim::Bodies;
using sim::DVec3;
using sim::Integrator;
using sim::Physics;
using sim::Vec3;

constexpr double orbit = 2.0 * std::numbers::pi;
constexpr double infinite = std::numeric_limits<double>::infinity();

/// Bodies with these places, velocities and masses.
Bodies bodies_of(std::span<const DVec3> position, std::span<const DVec3> velocity,
                 std::span<const double> mass) {
  Bodies bodies;
  bodies.resize(position.size());
  for (std::size_t i = 0; i < position.size(); ++i) {
    bodies.position[i] = Vec3(position[i]);
    bodies.velocity[i] = Vec3(velocity[i]);
    bodies.mass[i] = static_cast<float>(mass[i]);
  }
  return bodies;
}

/// Two bodies of mass 1/2 on an ellipse with a = 1, period 2 pi, at apocentre.
Bodies kepler_bodies(double eccentricity) {
  const double r = 0.5 * (1.0 + eccentricity);
  const double v = 0.5 * std::sqrt((1.0 - eccentricity) / (1.0 + eccentricity));
  return bodies_of(std::array{DVec3{-r, 0, 0}, DVec3{r, 0, 0}}, std::array{DVec3{0, -v, 0}, DVec3{0, v, 0}},
                   std::array{0.5, 0.5});
}

/// G = 1 and no softening.
Physics plain(const Integrator& integrator, double dt) {
  return {.softening = 0.0, .time_step = dt, .integrator = &integrator};
}

double energy_of(const Bodies& bodies, const Physics& physics) {
  const auto galaxies = bodies.galaxies();
  return sim::diagnose(sim::view_of(bodies, galaxies), {.physics = physics}).energy();
}

/// The largest distance of a body from where it should be; what is no number is infinitely far.
double distance(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double d = norm(DVec3(a[i]) - DVec3(b[i]));
    largest = std::max(largest, std::isfinite(d) ? d : infinite);
  }
  return largest;
}

/// Where a run ends.
Bodies end_of(const Advance& advance, const Bodies& start, const Physics& physics, std::size_t steps) {
  Bodies end;
  advance({start, physics, steps, steps, [&](const Bodies& bodies) { end = bodies; }});
  return end;
}

/// The largest error of the energy in one orbit of e = 0.5.
double kepler_error(const Advance& advance, const Integrator& integrator, std::size_t steps) {
  const auto start = kepler_bodies(0.5);
  const auto physics = plain(integrator, orbit / static_cast<double>(steps));
  const double before = energy_of(start, physics);
  double largest = 0.0;
  advance({start, physics, steps, 1, [&](const Bodies& bodies) {
             const double error = std::abs(energy_of(bodies, physics) / before - 1.0);
             largest = std::max(largest, std::isfinite(error) ? error : infinite);
           }});
  return largest;
}

/// The distance from pericentre at which half an orbit ends.
double pericentre_error(const Advance& advance, const Integrator& integrator, std::size_t steps) {
  const auto start = kepler_bodies(0.5);
  const auto physics = plain(integrator, 0.5 * orbit / static_cast<double>(steps));
  auto pericentre = start.position;
  for (auto& x : pericentre) x = Vec3(DVec3(x) * (-1.0 / 3.0));
  return distance(end_of(advance, start, physics, steps).position, pericentre);
}

/// The energy of Runge and Kutta's method is better by one order than its places, which are looked at
/// instead.
PhysicsAnswer place_slope(const Advance& advance, const Integrator& integrator) {
  const double coarse = pericentre_error(advance, integrator, 20);
  const double fine = pericentre_error(advance, integrator, 40);
  return {std::log2(coarse / fine), integrator.order - 0.1, integrator.order + 0.1};
}

/// Between steps so short that the first term of the error decides, and so long that rounding does not.
PhysicsAnswer kepler_slope(const Advance& advance, const Integrator& integrator) {
  if (integrator.has_slopes()) return place_slope(advance, integrator);
  const double small = integrator.order == 1 ? 0.03 : integrator.order == 2 ? 3e-3 : 4e-4;
  constexpr std::size_t most_steps = 6400;
  std::size_t steps = 50;
  double coarse = kepler_error(advance, integrator, steps);
  while (!(coarse <= small) && steps < most_steps) coarse = kepler_error(advance, integrator, steps *= 2);
  const double finest = kepler_error(advance, integrator, 2 * steps);
  // What forces in single precision add to the finest error makes the slope smaller.
  constexpr double single_precision = 2e-7;
  const double lowered = std::log2(1.0 + single_precision / finest);
  return {std::log2(coarse / finest), integrator.order - 0.1 - lowered, integrator.order + 0.1};
}

/// 3.3 orbits, since from apocentre to apocentre any method looks reversible by symmetry.
PhysicsAnswer reversal(const Advance& advance, const Integrator& integrator) {
  const auto start = kepler_bodies(0.5);
  constexpr std::size_t steps = 330;
  auto physics = plain(integrator, orbit / 100.0);
  const auto there = end_of(advance, start, physics, steps);
  physics.time_step = -physics.time_step;
  const auto back = end_of(advance, there, physics, steps);
  return {distance(back.position, start.position), 0.0, 2e-4};
}

constexpr double eight_period = 6.32591398;

PhysicsAnswer figure_eight(const Advance& advance, std::size_t periods, double most) {
  const auto start = sim::make_galaxy("figure-eight", {}).bodies;
  constexpr std::size_t steps = 1500;
  const auto physics = plain(*sim::find_integrator("forest-ruth"), eight_period / steps);
  const auto end = end_of(advance, start, physics, periods * steps);
  return {distance(end.position, start.position), 0.0, most};
}

PhysicsAnswer pythagorean(const Advance& advance) {
  const auto start = sim::make_galaxy("pythagorean", {}).bodies;
  const auto physics = plain(*sim::find_integrator("forest-ruth"), 2e-5);
  const auto end = end_of(advance, start, physics, 500'000);
  // Where the three masses are at t = 10: extrapolated midpoint rule in 64-bit mantissas, two step lengths.
  const std::array<DVec3, 3> truth{DVec3{0.77848041, 0.14139230, 0}, DVec3{-2.02509248, 0.09721938, 0},
                                   DVec3{1.15298574, -0.16261089, 0}};
  double largest = 0.0;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    const double d = norm(DVec3(end.position[i]) - truth.at(i));
    largest = std::max(largest, std::isfinite(d) ? d : infinite);
  }
  return {largest, 0.0, 0.02};
}

/// Two opposite charges go round each other as two masses do: K_E q^2 for G m^2. Without magnetic force.
PhysicsAnswer electric_pair(const Advance& advance) {
  auto start = kepler_bodies(0.5);
  start.charge = {0.5F, -0.5F};
  auto physics = plain(sim::leapfrog, orbit / 4000.0);
  physics.law = &sim::electric_law;
  physics.magnetic = 0.0;
  // Half an orbit later they are at pericentre, on the other side: a third of the distance.
  const auto half = end_of(advance, start, physics, 2000);
  auto pericentre = start.position;
  for (auto& x : pericentre) x = Vec3(DVec3(x) * (-1.0 / 3.0));
  return {distance(half.position, pericentre), 0.0, 2e-4};
}

/// In parts of 2^-k of a step, which are long where the bodies are far apart.
Physics adaptive(const Integrator& integrator, double accuracy, int steps_of_orbit = 8) {
  auto physics = plain(integrator, orbit / steps_of_orbit);
  physics.step = &sim::adaptive_step;
  physics.step_accuracy = accuracy;
  physics.step_length = 1.0;
  return physics;
}

/// The largest error of the energy at the ends of the steps of some orbits.
double adaptive_error(const Advance& advance, const Physics& physics, double eccentricity,
                      std::size_t orbits) {
  const auto start = kepler_bodies(eccentricity);
  const double before = energy_of(start, physics);
  double largest = 0.0;
  advance({start, physics, 8 * orbits, 1, [&](const Bodies& bodies) {
             const double error = std::abs(energy_of(bodies, physics) / before - 1.0);
             largest = std::max(largest, std::isfinite(error) ? error : infinite);
           }});
  return largest;
}

/// Half of the accuracy's number halves every part.
PhysicsAnswer adaptive_slope(const Advance& advance, const Integrator& integrator) {
  const bool second = integrator.order == 2;
  const double coarse = second ? 0.05 : 0.15;
  const auto error = [&](double accuracy) {
    return adaptive_error(advance, adaptive(integrator, accuracy), second ? 0.5 : 0.3, 1);
  };
  return {std::log2(error(coarse) / error(0.5 * coarse)), integrator.order - 0.1, integrator.order + 0.1};
}

PhysicsAnswer adaptive_reversal(const Advance& advance, const Integrator& integrator) {
  const auto start = kepler_bodies(0.9);
  constexpr std::size_t steps = 27;
  auto physics = adaptive(integrator, 0.025);
  const auto there = end_of(advance, start, physics, steps);
  physics.time_step = -physics.time_step;
  return {distance(end_of(advance, there, physics, steps).position, start.position), 0.0, 1e-4};
}

/// The largest error of the energy at apocentre in 100 orbits. It is least where pericentre is at the end of
/// a part, as with 8 steps of an orbit, and nearly the largest for 27 (docs/physics.md, "Adaptive steps").
PhysicsAnswer adaptive_drift(const Advance& advance, int steps_of_orbit, double limit) {
  const auto start = kepler_bodies(0.9);
  const auto physics = adaptive(sim::leapfrog, 0.025, steps_of_orbit);
  const double before = energy_of(start, physics);
  const auto steps = static_cast<std::size_t>(steps_of_orbit);
  double largest = 0.0;
  advance({start, physics, 100 * steps, steps, [&](const Bodies& bodies) {
             const double error = std::abs(energy_of(bodies, physics) / before - 1.0);
             largest = std::max(largest, std::isfinite(error) ? error : infinite);
           }});
  return {largest, 0.0, limit};
}

void add_adaptive(std::vector<PhysicsCheck>& checks) {
  const std::string source = "Makino, Hut, Kaplan & Saygin 2006";
  for (const auto* each : sim::integrators()) {
    if (!each->is_symmetric() || !each->keeps_acceleration()) continue;
    const auto needed = adaptive(*each, 0.05);
    checks.push_back({.name = fmt::format("adaptive slope, {}", each->name),
                      .source = "order of the method",
                      .needs = needed,
                      .answer = [each](const Advance& advance) { return adaptive_slope(advance, *each); }});
    checks.push_back(
        {.name = fmt::format("adaptive return, {}", each->name),
         .source = source,
         .needs = needed,
         .answer = [each](const Advance& advance) { return adaptive_reversal(advance, *each); }});
  }
  for (const auto& [steps, limit] : {std::pair{8, 3e-3}, std::pair{9, 2e-2}, std::pair{27, 4e-2}})
    checks.push_back({.name = fmt::format("adaptive e = 0.9, 100 orbits of {} steps", steps),
                      .source = source,
                      .needs = adaptive(sim::leapfrog, 0.05),
                      .answer = [steps = steps, limit = limit](const Advance& advance) {
                        return adaptive_drift(advance, steps, limit);
                      }});
}

void add_orders(std::vector<PhysicsCheck>& checks) {
  for (const auto* each : sim::integrators()) {
    checks.push_back({.name = fmt::format("Kepler slope, {}", each->name),
                      .source = "order of the method",
                      .needs = plain(*each, orbit / 100.0),
                      .answer = [each](const Advance& advance) { return kepler_slope(advance, *each); }});
  }
  for (const auto* each : sim::integrators()) {
    if (!each->is_symmetric()) continue;
    checks.push_back({.name = fmt::format("there and back, {}", each->name),
                      .source = "symmetry of the method",
                      .answer = [each](const Advance& advance) { return reversal(advance, *each); }});
  }
}

void add_orbits(std::vector<PhysicsCheck>& checks) {
  const std::string eight = "Chenciner & Montgomery 2000";
  checks.push_back({.name = "figure-eight, 1 period", .source = eight, .answer = [](const Advance& advance) {
                      return figure_eight(advance, 1, 1e-4);
                    }});
  checks.push_back({.name = "figure-eight, 10 periods",
                    .source = eight,
                    .answer = [](const Advance& advance) { return figure_eight(advance, 10, 1e-3); }});
  checks.push_back({.name = "electric pair at pericentre",
                    .source = "Kepler's ellipse, K_E q^2 for G m^2",
                    .answer = electric_pair});
  checks.push_back({.name = "Pythagorean problem at t = 10",
                    .source = "Burrau 1913; extrapolation in extended precision",
                    .quick = false,
                    .answer = pythagorean});
}

}  // namespace

std::vector<PhysicsCheck> physics_checks() {
  std::vector<PhysicsCheck> checks;
  add_orders(checks);
  add_adaptive(checks);
  add_orbits(checks);
  add_solar_system_check(checks);
  add_many_body_checks(checks);
  return checks;
}

std::string why_not(const PhysicsCheck& check, const sim::OptionTable& table,
                    sim::Configuration configuration) {
  sim::set_physics(configuration, check.needs);
  return sim::refusal_of(table, configuration, {});
}

Advance by_engine(const sim::OptionTable& table, const sim::Configuration& configuration) {
  return [&table, configuration](const PhysicsRun& run) {
    auto chosen = configuration;
    sim::set_physics(chosen, run.physics);
    const auto engine = sim::make_engine(table, chosen);
    engine->load(run.start, 0.0);
    Bodies bodies = run.start;
    for (std::size_t step = 1; step <= run.steps; ++step) {
      if (!engine->advance({.interrupt = sim::interrupt_flag()})) sim::stop_if_interrupted();
      if (step % run.every != 0 && step != run.steps) continue;
      engine->finish();
      engine->read_back(bodies);
      run.look(bodies);
    }
  };
}

std::string physics_heading() {
  return fmt::format("{:<32} {:>12} {:>25}  {:<7} {}\n", "check", "value", "bounds", "", "source");
}

std::string physics_line(const PhysicsCheck& check, const PhysicsAnswer& answer) {
  const auto bounds = fmt::format("{:.4g} to {:.4g}", answer.least, answer.most);
  return fmt::format("{:<32} {:>12.5g} {:>25}  {:<7} {}\n", check.name, answer.value, bounds,
                     answer.right() ? "ok" : "FAILED", check.source);
}

}  // namespace orrery::lab
