#include "sim/galaxies/encounter.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace orrery::sim {

namespace {

constexpr double radians(double degrees) { return degrees * std::numbers::pi / 180.0; }

struct Orbit {
  DVec3 position;  // of the second galaxy relative to the first
  DVec3 velocity;
};

double parameter(const Encounter& encounter) { return encounter.pericentre * (1.0 + encounter.eccentricity); }

// Before the pericentre, where r = p / (1 + e cos nu).
double true_anomaly(const Encounter& encounter, double r) {
  return -std::acos((parameter(encounter) / r - 1.0) / encounter.eccentricity);
}

Orbit orbit_of(const Encounter& encounter, double mass) {
  const double r = encounter.separation, e = encounter.eccentricity;
  const double nu = true_anomaly(encounter, r);
  const double k = std::sqrt(mass / parameter(encounter));
  return {{r * std::cos(nu), r * std::sin(nu), 0.0}, {-k * std::sin(nu), k * (e + std::cos(nu)), 0.0}};
}

}  // namespace

// dt = r^2 dnu / sqrt(G M p) (Kepler's second law), for any eccentricity.
double Encounter::time_to_pericentre(double mass) const {
  constexpr int pieces = 2000;
  const double p = parameter(*this), start = true_anomaly(*this, separation);
  const double width = -start / pieces;
  double sum = 0.0;
  for (int k = 0; k < pieces; ++k) {
    const double r = p / (1.0 + eccentricity * std::cos(start + (k + 0.5) * width));
    sum += r * r * width;
  }
  return sum / std::sqrt(mass * p);
}

Scene make_encounter(const Encounter& encounter, const ModelRequest& request) {
  DiskGalaxy galaxy = spiral_disk();
  const std::size_t first_bodies = (request.bodies + 1) / 2;
  galaxy.softening = disk_softening(first_bodies);
  const double total = 2.0 * galaxy.mass();
  const Orbit orbit = orbit_of(encounter, total);

  Particles first =
      make_disk_galaxy(galaxy, first_bodies, request.seed, {request.progress, first_bodies, 0.0F, 0.4F});
  Particles second =
      make_disk_galaxy(galaxy, request.bodies - first_bodies, request.seed ^ 0x9e3779b97f4a7c15U,
                       {request.progress, request.bodies - first_bodies, 0.4F, 0.8F});
  first.turn(radians(encounter.first.inclination), radians(encounter.first.node));
  second.turn(radians(encounter.second.inclination), radians(encounter.second.node));
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
      fmt::format("two equal disk galaxies on an orbit of eccentricity {}, pericentre {} near time {:.0f}; "
                  "disks inclined "
                  "by {} and {} degrees",
                  encounter.eccentricity, encounter.pericentre, encounter.time_to_pericentre(total),
                  encounter.first.inclination, encounter.second.inclination));
  scene.notes.emplace_back(disk_units);
  scene.units = disk_physical_units;
  return scene;
}

}  // namespace orrery::sim
