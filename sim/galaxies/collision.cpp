#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "sim/galaxies/disk_galaxy.h"
#include "sim/galaxies/model.h"

namespace orrery::sim {

namespace {

constexpr double pericentre = 3.0;
constexpr double separation = 14.0;

constexpr double radians(double degrees) { return degrees * std::numbers::pi / 180.0; }

struct Orbit {
  DVec3 position;  // of the second galaxy relative to the first
  DVec3 velocity;
};

// Two point masses on a parabola of pericentre distance q, approaching along it in the x-y plane, counter-
// clockwise: r = 2q / (1 + cos nu), L = sqrt(2 G M q), v^2 = 2GM/r.
Orbit parabolic_orbit(double mass, double q, double r) {
  const double nu = -std::acos(2.0 * q / r - 1.0);
  const double k = std::sqrt(mass / (2.0 * q));
  return {{r * std::cos(nu), r * std::sin(nu), 0.0}, {-k * std::sin(nu), k * (1.0 + std::cos(nu)), 0.0}};
}

// Barker's equation: time from distance r to pericentre.
double time_to_pericentre(double mass, double q, double r) {
  const double d = std::sqrt(r / q - 1.0);  // tan(nu/2)
  return std::sqrt(2.0 * q * q * q / mass) * (d + d * d * d / 3.0);
}

Scene make_collision(const ModelRequest& request) {
  DiskGalaxy galaxy;
  const std::size_t first_bodies = (request.bodies + 1) / 2;
  galaxy.softening = disk_softening(first_bodies);
  const double total = 2.0 * galaxy.mass();
  const Orbit orbit = parabolic_orbit(total, pericentre, separation);

  Particles first =
      make_disk_galaxy(galaxy, first_bodies, request.seed, {request.progress, first_bodies, 0.0F, 0.4F});
  Particles second =
      make_disk_galaxy(galaxy, request.bodies - first_bodies, request.seed ^ 0x9e3779b97f4a7c15U,
                       {request.progress, request.bodies - first_bodies, 0.4F, 0.8F});
  first.turn(radians(15.0), radians(20.0));
  second.turn(radians(60.0), radians(-30.0));
  first.shift(-0.5 * orbit.position, -0.5 * orbit.velocity);
  second.shift(0.5 * orbit.position, 0.5 * orbit.velocity);
  first.append(second);
  center(first);

  Scene scene;
  scene.bodies = to_bodies(first);
  scene.physics.softening = galaxy.softening;
  scene.physics.time_step = disk_time_step(galaxy);
  scene.speed = disk_rotation_period / 12.0;
  scene.notes.push_back(
      fmt::format("two equal disk galaxies on a parabolic orbit, pericentre {} at time {:.0f}; disks "
                  "inclined by 15 and 60 degrees",
                  pericentre, time_to_pericentre(total, pericentre, separation)));
  scene.notes.emplace_back(disk_units);
  scene.units = disk_physical_units;
  return scene;
}

}  // namespace

extern const GalaxyModel collision_model;
constinit const GalaxyModel collision_model{
    .name = "collision",
    .meaning = "two disk galaxies on a parabolic orbit: a bridge and tidal tails",
    .default_bodies = 5120,
    .minimum_bodies = 512,
    .maximum_bodies = 16'777'216,
    .make = make_collision,
};

}  // namespace orrery::sim
