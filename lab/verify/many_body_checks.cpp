#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "lab/verify/physics_checks.h"
#include "sim/core/random.h"
#include "sim/galaxies/disk_galaxy.h"
#include "sim/galaxies/model.h"
#include "sim/galaxies/solar_bodies.h"
#include "sim/physics/diagnostics/diagnostics.h"

namespace orrery::lab {

namespace {

using sim::Bodies;
using sim::DVec3;
using sim::Physics;
using sim::Vec3;

constexpr double infinite = std::numeric_limits<double>::infinity();

sim::Diagnostics measured(const Bodies& bodies, const Physics& physics) {
  const auto galaxies = bodies.galaxies();
  return sim::diagnose(sim::view_of(bodies, galaxies), {.physics = physics});
}

std::size_t steps_to(double time, const Physics& physics) {
  return static_cast<std::size_t>(std::lround(time / physics.time_step));
}

/// Ten crossing times of a Plummer sphere in standard units.
struct PlummerRun {
  double energy = 0.0, half_mass = 0.0;  ///< the largest changes
};

PlummerRun run_plummer(const Advance& advance) {
  const auto scene = sim::make_galaxy("plummer", {.bodies = 1000, .seed = 7});
  auto physics = scene.physics;
  physics.time_step = 1.0 / 64.0;
  const double crossing = 2.0 * std::sqrt(2.0);
  const auto before = measured(scene.bodies, physics);
  PlummerRun result;
  const auto look = [&](const Bodies& bodies) {
    const auto now = measured(bodies, physics);
    result.energy = std::max(result.energy, relative_change(now.energy(), before.energy()));
    result.half_mass =
        std::max(result.half_mass, relative_change(now.half_mass_radius, before.half_mass_radius));
  };
  advance({scene.bodies, physics, steps_to(10.0 * crossing, physics), 181, look});
  return result;
}

/// A ball of mass 1 and radius 1, uniform and at rest.
Bodies cold_ball(std::size_t count) {
  sim::Random random(11);
  Bodies bodies;
  bodies.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    // A shell each: less noise than radii by chance.
    const double r = std::cbrt((static_cast<double>(i) + 0.5) / static_cast<double>(count));
    bodies.position[i] = Vec3(r * random.direction());
    bodies.mass[i] = 1.0F / static_cast<float>(count);
  }
  return bodies;
}

/// When half of the mass is closest together, in free-fall times pi/2 sqrt(R^3 / 2 G M).
PhysicsAnswer cold_collapse(const Advance& advance) {
  const Physics physics{.softening = 0.05, .time_step = 0.005};
  const double free_fall = 1.1107207;
  double smallest = infinite, when = 0.0;
  std::size_t looks = 0;
  constexpr std::size_t every = 4;
  const auto look = [&](const Bodies& bodies) {
    const double radius = measured(bodies, physics).half_mass_radius;
    ++looks;
    if (!(radius < smallest)) return;
    smallest = radius;
    when = static_cast<double>(looks * every) * physics.time_step;
  };
  advance({cold_ball(1000), physics, steps_to(1.6, physics), every, look});
  return {when / free_fall, 1.0, 1.2};
}

/// Median height and radius of the disk's bodies, which come first.
struct DiskShape {
  double radius, height;
};

DiskShape shape_of(const Bodies& bodies) {
  std::vector<double> radius, height;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (bodies.component[i] != sim::Component::disk) continue;
    radius.push_back(norm(DVec3(bodies.position[i])));
    height.push_back(std::abs(static_cast<double>(bodies.position[i].z)));
  }
  const auto median = [](std::vector<double>& all) {
    std::ranges::nth_element(all, all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2));
    return all[all.size() / 2];
  };
  return {median(radius), median(height)};
}

/// Two rotations of the steady disk: how much its median radius changes, and how thick it is in the end.
PhysicsAnswer disk_radius(const Advance& advance) {
  const auto scene = sim::make_galaxy("steady-disk", {.bodies = 1500, .seed = 1});
  const auto before = shape_of(scene.bodies);
  const auto steps = steps_to(2.0 * sim::disk_rotation_period, scene.physics);
  double largest = 0.0;
  advance({scene.bodies, scene.physics, steps, steps / 8, [&](const Bodies& bodies) {
             const auto now = shape_of(bodies);
             const bool flat = now.height < 0.12 * now.radius;
             largest = std::max(largest, flat ? relative_change(now.radius, before.radius) : infinite);
           }});
  return {largest, 0.0, 0.12};
}

constexpr double days = 36'525.0;

// From the Sun in AU, ecliptic and equinox of J2000, 36 525 days after 1 January 2000, 12:00 TDB: Mercury to
// Neptune by VSOP87 (Bretagnon & Francou 1988, A&A 202, 309), the Earth-Moon barycentre by VSOP2000 (Moisson
// & Bretagnon 2001, Celest. Mech. Dyn. Astr. 80, 205). Computed so, 3652.5 and 18 262.5 days after the start,
// they are within 0.4" of JPL's DE421, which ends in 2053; Uranus within 0.8" and Neptune within 1.9".
constexpr std::array<DVec3, 8> planets{{
    {0.24751133, -0.34788586, -0.05111838},
    {0.68424820, 0.23736278, -0.03612894},
    {-0.16605931, 0.96924235, -0.00021713},
    {0.60351195, 1.38416133, 0.01434581},
    {-5.37317375, -0.91204223, 0.12388758},
    {-9.15233893, -3.08167763, 0.41825647},
    {18.86445931, 6.55069614, -0.21964303},
    {-29.05973317, 8.23335481, 0.50022782},
}};

/// The distance of a planet from its position, as seen from the Sun, in seconds of arc.
double angle(const Bodies& bodies, std::size_t planet) {
  constexpr double seconds_of_radian = 648'000.0 / std::numbers::pi;
  const DVec3 x = DVec3(bodies.position[planet + 1]) - DVec3(bodies.position[0]);
  const double seconds = norm(x - planets.at(planet)) / norm(planets.at(planet)) * seconds_of_radian;
  return std::isfinite(seconds) ? seconds : std::numeric_limits<double>::infinity();
}

/// The bodies after a hundred years in steps of half a day.
Bodies after_a_century(const Advance& advance) {
  constexpr std::size_t steps = 73'050;
  const sim::Physics physics{.softening = 0.0,
                             .time_step = days / sim::days_of_time_unit / steps,
                             .integrator = sim::find_integrator("pefrl")};
  return end_of(advance, sim::make_galaxy("solar-system", {}).bodies, physics, steps);
}

// Forces in single precision change Mercury's energy at random: by 2e-6 in 415 of its years. Relativity,
// which is left out, turns its ellipse by 43".
PhysicsAnswer mercury(const Advance& advance) { return {angle(after_a_century(advance), 0), 0.0, 3600.0}; }

PhysicsAnswer other_planets(const Advance& advance) {
  const auto end = after_a_century(advance);
  double largest = 0.0;
  for (std::size_t k = 1; k < planets.size(); ++k) largest = std::max(largest, angle(end, k));
  return {largest, 0.0, 180.0};
}

}  // namespace

void add_many_body_checks(std::vector<PhysicsCheck>& checks) {
  const std::string ephemeris = "VSOP87; Bretagnon & Francou 1988";
  checks.push_back(
      {.name = "Mercury, 100 years, arcsec", .source = ephemeris, .quick = false, .answer = mercury});
  checks.push_back({.name = "other planets, 100 years, arcsec",
                    .source = ephemeris,
                    .quick = false,
                    .answer = other_planets});
  checks.push_back({.name = "Plummer, 10 crossings: energy",
                    .source = "conservation; Aarseth, Henon & Wielen 1974",
                    .quick = false,
                    .answer = [](const Advance& advance) {
                      return PhysicsAnswer{run_plummer(advance).energy, 0.0, 1e-3};
                    }});
  checks.push_back({.name = "Plummer, 10 crossings: radius",
                    .source = "equilibrium",
                    .quick = false,
                    .answer = [](const Advance& advance) {
                      return PhysicsAnswer{run_plummer(advance).half_mass, 0.0, 0.1};
                    }});
  checks.push_back({.name = "cold collapse, free-fall times",
                    .source = "Joyce, Marcos & Sylos Labini 2009",
                    .quick = false,
                    .answer = cold_collapse});
  checks.push_back({.name = "steady disk, 2 rotations: radius",
                    .source = "equilibrium; Binney & Tremaine 2008, 4.228",
                    .quick = false,
                    .answer = disk_radius});
}

}  // namespace orrery::lab
