#include "lab/verify/known_orbits.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/core/interrupt.h"
#include "sim/galaxies/model.h"
#include "sim/options/physics_options.h"
#include "sim/physics/diagnostics/diagnostics.h"
#include "sim/simulation/engine_registry.h"

namespace orrery::lab {

using sim::Bodies;
using sim::DVec3;
using sim::Physics;
using sim::Vec3;

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double eight_period = 6.32591398;

/// G = 1 is the caller's.
void set_step(Physics& physics, double time_step) {
  physics.softening = 0.0;
  physics.time_step = time_step;
}

constexpr std::array pair_masses{0.7, 0.3};
constexpr double pair_distance = 1.0;
constexpr std::size_t orbit_steps = 50;

double angular_speed(const sim::Physics& physics) {
  const double squared = pair_distance * pair_distance + physics.softening * physics.softening;
  return std::sqrt(physics.gravitational_constant * (pair_masses[0] + pair_masses[1]) /
                   (squared * std::sqrt(squared)));
}

/// The bodies when they have turned by `angle`, anticlockwise from the x axis.
sim::Bodies turned_by(double angle, double speed) {
  sim::Bodies bodies;
  bodies.resize(2);
  const DVec3 way{std::cos(angle), std::sin(angle), 0.0};
  const DVec3 across{-std::sin(angle), std::cos(angle), 0.0};
  for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
    const double radius = (i == 0 ? -1.0 : 1.0) * pair_distance * pair_masses.at(1 - i);
    bodies.position[i] = sim::Vec3(radius * way);
    bodies.velocity[i] = sim::Vec3(radius * speed * across);
    bodies.mass[i] = static_cast<float>(pair_masses.at(i));
  }
  return bodies;
}

/// The largest distance of a position from the expected one.
double farthest(const std::vector<Vec3>& position, const auto& expected) {
  double largest = 0.0;
  for (std::size_t i = 0; i < position.size(); ++i) {
    const double d = norm(DVec3(position[i]) - DVec3(expected[i]));
    largest = std::max(largest, std::isfinite(d) ? d : infinite);
  }
  return largest;
}

}  // namespace

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

Bodies end_of(const Advance& advance, const Bodies& start, const Physics& physics, std::size_t steps) {
  Bodies end;
  advance({start, physics, steps, steps, [&](const Bodies& bodies) { end = bodies; }});
  return end;
}

double largest_distance(const std::vector<Vec3>& position, const std::vector<Vec3>& expected) {
  return farthest(position, expected);
}

double squared_distance(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto d = DVec3(a[i]) - DVec3(b[i]);
    sum += sim::is_finite(a[i]) ? dot(d, d) : infinite;
  }
  return sum;
}

double pythagorean_error(const std::vector<Vec3>& position) { return farthest(position, pythagorean_at_10); }

double energy_of(const Bodies& bodies, const Physics& physics) {
  const auto galaxies = bodies.galaxies();
  return sim::diagnose(sim::view_of(bodies, galaxies), {.physics = physics}).energy();
}

double relative_change(double a, double b) {
  const double changed = std::abs(a / b - 1.0);
  return std::isfinite(changed) ? changed : infinite;
}

Bodies kepler_bodies(double eccentricity) {
  const double r = 0.5 * (1.0 + eccentricity);
  const double v = 0.5 * std::sqrt((1.0 - eccentricity) / (1.0 + eccentricity));
  Bodies bodies;
  bodies.resize(2);
  bodies.position = {Vec3(DVec3{-r, 0, 0}), Vec3(DVec3{r, 0, 0})};
  bodies.velocity = {Vec3(DVec3{0, -v, 0}), Vec3(DVec3{0, v, 0})};
  bodies.mass = {0.5F, 0.5F};
  return bodies;
}

double kepler_energy_error(const Advance& advance, Physics physics, const KeplerRun& run) {
  const auto start = kepler_bodies(run.eccentricity);
  set_step(physics, kepler_period / static_cast<double>(run.steps_per_orbit));
  const double before = energy_of(start, physics);
  const auto every = run.looks > 0 ? run.steps_per_orbit / run.looks : 1;
  double largest = 0.0;
  advance({start, physics, run.orbits * run.steps_per_orbit, every, [&](const Bodies& bodies) {
             largest = std::max(largest, relative_change(energy_of(bodies, physics), before));
           }});
  return largest;
}

double pericentre_error(const Advance& advance, const Bodies& start, Physics physics, std::size_t steps) {
  set_step(physics, 0.5 * kepler_period / static_cast<double>(steps));
  // On the other side, at a third of the distance.
  auto pericentre = start.position;
  for (auto& x : pericentre) x = Vec3(DVec3(x) * (-1.0 / 3.0));
  return largest_distance(end_of(advance, start, physics, steps).position, pericentre);
}

Reversal there_and_back(const Advance& advance, const Bodies& start, Physics physics, std::size_t steps) {
  physics.softening = 0.0;
  const auto there = end_of(advance, start, physics, steps);
  physics.time_step = -physics.time_step;
  const auto back = end_of(advance, there, physics, steps);
  return {.position = largest_distance(back.position, start.position),
          .velocity = largest_distance(back.velocity, start.velocity),
          .moved = largest_distance(there.velocity, start.velocity)};
}

EightErrors figure_eight_errors(const Advance& advance, Physics physics, std::size_t steps_per_period,
                                std::size_t periods) {
  const auto start = sim::make_galaxy("figure-eight", {}).bodies;
  set_step(physics, eight_period / static_cast<double>(steps_per_period));
  // Where bodies are after a third: the first in the middle, the second at the first's place.
  const std::vector<Vec3> third{start.position[2], start.position[0], start.position[1]};
  std::optional<double> third_error;
  EightErrors errors;
  advance({start, physics, periods * steps_per_period, steps_per_period / 3, [&](const Bodies& bodies) {
             if (!third_error) third_error = largest_distance(bodies.position, third);
             errors.end = largest_distance(bodies.position, start.position);
           }});
  errors.third = third_error.value_or(infinite);
  return errors;
}

std::optional<double> circle_error(const sim::OptionTable& table, const sim::Configuration& configuration) {
  auto chosen = configuration;
  auto physics = sim::physics_of(configuration);
  if (physics.law != &sim::gravity_law || !(physics.gravitational_constant > 0.0)) return std::nullopt;
  physics.field = &sim::none_field;
  const double speed = angular_speed(physics);
  physics.time_step = 0.5 * std::numbers::pi / (speed * static_cast<double>(orbit_steps));
  sim::set_physics(chosen, physics);
  if (!sim::refusal_of(table, chosen, {.bodies = 2, .galaxies = 1}).empty()) return std::nullopt;
  const auto end = end_of(by_engine(table, configuration), turned_by(0.0, speed), physics, orbit_steps);
  return largest_distance(end.position, turned_by(0.5 * std::numbers::pi, speed).position) / pair_distance;
}

}  // namespace orrery::lab
