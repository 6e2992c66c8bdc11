#include "lab/verify/circular_orbit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "sim/core/interrupt.h"
#include "sim/options/physics_options.h"
#include "sim/simulation/engine_registry.h"

namespace orrery::lab {

namespace {

using sim::DVec3;

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

double farther_of_two(const sim::Bodies& end, const sim::Bodies& right) {
  double largest = 0.0;
  for (std::size_t i = 0; i < end.size(); ++i) {
    const double d = norm(DVec3(end.position[i]) - DVec3(right.position[i]));
    largest = std::max(largest, std::isfinite(d) ? d : std::numeric_limits<double>::infinity());
  }
  return largest / pair_distance;
}

}  // namespace

std::optional<double> circle_error(const sim::OptionTable& table, const sim::Configuration& configuration) {
  auto chosen = configuration;
  auto physics = sim::physics_of(configuration);
  if (physics.law != &sim::gravity_law || !(physics.gravitational_constant > 0.0)) return std::nullopt;
  physics.field = &sim::none_field;
  const double speed = angular_speed(physics);
  physics.time_step = 0.5 * std::numbers::pi / (speed * static_cast<double>(orbit_steps));
  sim::set_physics(chosen, physics);
  if (!sim::refusal_of(table, chosen, {.bodies = 2, .galaxies = 1}).empty()) return std::nullopt;
  auto bodies = turned_by(0.0, speed);
  const auto engine = sim::make_engine(table, chosen);
  engine->load(bodies, 0.0);
  for (std::size_t step = 0; step < orbit_steps; ++step) {
    if (!engine->advance({.interrupt = sim::interrupt_flag()})) sim::stop_if_interrupted();
  }
  engine->finish();
  engine->read_back(bodies);
  return farther_of_two(bodies, turned_by(0.5 * std::numbers::pi, speed));
}

}  // namespace orrery::lab
