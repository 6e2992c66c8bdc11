#include "lab/verify/physics_checks.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "sim/galaxies/model.h"
#include "sim/options/physics_options.h"

namespace orrery::lab {

namespace {

using sim::Integrator;
using sim::Physics;

/// G = 1 and no softening.
Physics plain(const Integrator& integrator, double dt = 0.0) {
  return {.softening = 0.0, .time_step = dt, .integrator = &integrator};
}

/// The energy of Runge and Kutta's method is better by one order than its places, which are looked at
/// instead.
PhysicsAnswer place_slope(const Advance& advance, const Integrator& integrator) {
  const auto start = kepler_bodies(0.5);
  const double coarse = pericentre_error(advance, start, plain(integrator), 20);
  const double fine = pericentre_error(advance, start, plain(integrator), 40);
  return {std::log2(coarse / fine), integrator.order - 0.1, integrator.order + 0.1};
}

/// Between steps so short that the first term of the error decides, and so long that rounding does not.
PhysicsAnswer kepler_slope(const Advance& advance, const Integrator& integrator) {
  if (integrator.has_slopes()) return place_slope(advance, integrator);
  const auto error = [&](std::size_t steps) {
    return kepler_energy_error(advance, plain(integrator), {.steps_per_orbit = steps});
  };
  const double small = integrator.order == 1 ? 0.03 : integrator.order == 2 ? 3e-3 : 4e-4;
  constexpr std::size_t most_steps = 6400;
  std::size_t steps = 50;
  double coarse = error(steps);
  while (!(coarse <= small) && steps < most_steps) coarse = error(steps *= 2);
  const double finest = error(2 * steps);
  // What forces in single precision add to the finest error makes the slope smaller.
  constexpr double single_precision = 2e-7;
  const double lowered = std::log2(1.0 + single_precision / finest);
  return {std::log2(coarse / finest), integrator.order - 0.1 - lowered, integrator.order + 0.1};
}

/// 3.3 orbits, since from apocentre to apocentre any method looks reversible by symmetry.
PhysicsAnswer reversal(const Advance& advance, const Integrator& integrator) {
  const auto physics = plain(integrator, kepler_period / 100.0);
  return {there_and_back(advance, kepler_bodies(0.5), physics, 330).position, 0.0, 2e-4};
}

PhysicsAnswer figure_eight(const Advance& advance, std::size_t periods, double most) {
  const auto physics = plain(*sim::find_integrator("forest-ruth"));
  return {figure_eight_errors(advance, physics, 1500, periods).end, 0.0, most};
}

PhysicsAnswer pythagorean(const Advance& advance) {
  const auto start = sim::make_galaxy("pythagorean", {}).bodies;
  const auto physics = plain(*sim::find_integrator("forest-ruth"), 2e-5);
  return {pythagorean_error(end_of(advance, start, physics, 500'000).position), 0.0, 0.02};
}

/// Two opposite charges go round each other as two masses do: K_E q^2 for G m^2. Without magnetic force.
PhysicsAnswer electric_pair(const Advance& advance) {
  auto start = kepler_bodies(0.5);
  start.charge = {0.5F, -0.5F};
  auto physics = plain(sim::leapfrog);
  physics.law = &sim::electric_law;
  physics.magnetic = 0.0;
  return {pericentre_error(advance, start, physics, 2000), 0.0, 2e-4};
}

/// In parts of 2^-k of a step, which are long where the bodies are far apart; of 8 steps an orbit.
Physics adaptive(const Integrator& integrator, double accuracy) {
  auto physics = plain(integrator, kepler_period / 8.0);
  physics.step = &sim::adaptive_step;
  physics.step_accuracy = accuracy;
  physics.step_length = 1.0;
  return physics;
}

/// Half of the accuracy's number halves every part.
PhysicsAnswer adaptive_slope(const Advance& advance, const Integrator& integrator) {
  const bool second = integrator.order == 2;
  const double coarse = second ? 0.05 : 0.15;
  const auto error = [&](double accuracy) {
    return kepler_energy_error(advance, adaptive(integrator, accuracy),
                               {.eccentricity = second ? 0.5 : 0.3, .steps_per_orbit = 8});
  };
  return {std::log2(error(coarse) / error(0.5 * coarse)), integrator.order - 0.1, integrator.order + 0.1};
}

PhysicsAnswer adaptive_reversal(const Advance& advance, const Integrator& integrator) {
  return {there_and_back(advance, kepler_bodies(0.9), adaptive(integrator, 0.025), 27).position, 0.0, 1e-4};
}

/// The largest error of the energy at apocentre in 100 orbits. It is least where pericentre is at the end of
/// a part, as with 8 steps of an orbit, and nearly the largest for 27 (docs/physics.md, "Adaptive steps").
PhysicsAnswer adaptive_drift(const Advance& advance, std::size_t steps_of_orbit, double limit) {
  const KeplerRun run{.eccentricity = 0.9, .steps_per_orbit = steps_of_orbit, .orbits = 100, .looks = 1};
  return {kepler_energy_error(advance, adaptive(sim::leapfrog, 0.025), run), 0.0, limit};
}

PhysicsCheck check_of(const Integrator& integrator, const char* what, const std::string& source,
                      const Physics& needs, PhysicsAnswer (*answer)(const Advance&, const Integrator&)) {
  return {.name = fmt::format("{}, {}", what, integrator.name),
          .source = source,
          .needs = needs,
          .answer = [=, &integrator](const Advance& advance) { return answer(advance, integrator); }};
}

void add_adaptive(std::vector<PhysicsCheck>& checks) {
  const std::string source = "Makino, Hut, Kaplan & Saygin 2006";
  for (const auto* each : sim::integrators()) {
    if (!each->is_symmetric() || !each->keeps_acceleration()) continue;
    const auto needed = adaptive(*each, 0.05);
    checks.push_back(check_of(*each, "adaptive slope", "order of the method", needed, adaptive_slope));
    checks.push_back(check_of(*each, "adaptive return", source, needed, adaptive_reversal));
  }
  for (const auto& [steps, limit] : {std::pair{8U, 3e-3}, std::pair{9U, 2e-2}, std::pair{27U, 4e-2}})
    checks.push_back({.name = fmt::format("adaptive e = 0.9, 100 orbits of {} steps", steps),
                      .source = source,
                      .needs = adaptive(sim::leapfrog, 0.05),
                      .answer = [steps = steps, limit = limit](const Advance& advance) {
                        return adaptive_drift(advance, steps, limit);
                      }});
}

void add_orders(std::vector<PhysicsCheck>& checks) {
  for (const auto* each : sim::integrators()) {
    checks.push_back(check_of(*each, "Kepler slope", "order of the method",
                              plain(*each, kepler_period / 100.0), kepler_slope));
  }
  for (const auto* each : sim::integrators()) {
    if (!each->is_symmetric()) continue;
    checks.push_back(check_of(*each, "there and back", "symmetry of the method", {}, reversal));
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
  add_many_body_checks(checks);
  return checks;
}

std::string why_not(const PhysicsCheck& check, const sim::OptionTable& table,
                    sim::Configuration configuration) {
  sim::set_physics(configuration, check.needs);
  return sim::refusal_of(table, configuration, {});
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
