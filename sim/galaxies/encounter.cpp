#include "sim/galaxies/encounter.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <string>

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

namespace {

/// The galaxies of an encounter are made with these.
struct EncounterPair {
  DiskGalaxy galaxy;  // the first; softening in its lengths
  std::size_t first_bodies, second_bodies;
};

EncounterPair pair_of(const Encounter& encounter, std::size_t bodies) {
  const double share = 1.0 / (1.0 + encounter.mass_ratio);
  const auto first = static_cast<std::size_t>(std::ceil(share * static_cast<double>(bodies)));
  EncounterPair pair{spiral_disk(), first, bodies - first};
  pair.galaxy.softening = disk_softening(first);
  return pair;
}

// The second galaxy is the first with other lengths, masses and speeds; the softening stays.
Particles make_second(const EncounterPair& pair, double ratio, const ModelRequest& request) {
  const double length = std::sqrt(ratio), speed = std::sqrt(ratio / length);
  DiskGalaxy galaxy = pair.galaxy;
  galaxy.softening /= length;
  Particles second = make_disk_galaxy(galaxy, pair.second_bodies, request.seed ^ 0x9e3779b97f4a7c15U,
                                      {request.progress, pair.second_bodies, 0.4F, 0.8F});
  second.scale(length, speed);
  for (double& m : second.mass) m *= ratio;
  return second;
}

void turn_by(Particles& galaxy, const Tilt& tilt) {
  galaxy.turn(radians(tilt.inclination), radians(tilt.node));
}

std::string note_of(const Encounter& encounter, double total) {
  return fmt::format(
      "two {}disk galaxies on an orbit of eccentricity {}, pericentre {} near time {:.0f}; disks inclined by "
      "{} and "
      "{} degrees{}",
      encounter.mass_ratio == 1.0 ? "equal " : "", encounter.eccentricity, encounter.pericentre,
      encounter.time_to_pericentre(total), encounter.first.inclination, encounter.second.inclination,
      encounter.mass_ratio == 1.0 ? "" : fmt::format("; masses 1 : {:.2g}", encounter.mass_ratio));
}

}  // namespace

Scene make_encounter(const Encounter& encounter, const ModelRequest& request) {
  const double ratio = encounter.mass_ratio, share = 1.0 / (1.0 + ratio);
  const EncounterPair pair = pair_of(encounter, request.bodies);
  const double total = (1.0 + ratio) * pair.galaxy.mass();
  const Orbit orbit = orbit_of(encounter, total);
  Particles first = make_disk_galaxy(pair.galaxy, pair.first_bodies, request.seed,
                                     {request.progress, pair.first_bodies, 0.0F, 0.4F});
  Particles second = make_second(pair, ratio, request);
  turn_by(first, encounter.first);
  turn_by(second, encounter.second);
  first.shift(-(1.0 - share) * orbit.position, -(1.0 - share) * orbit.velocity);
  second.shift(share * orbit.position, share * orbit.velocity);
  first.append(second);
  center(first);

  Scene scene;
  scene.bodies = to_bodies(first);
  scene.physics.softening = pair.galaxy.softening;
  scene.physics.time_step = disk_time_step(pair.galaxy);
  scene.speed = disk_rotation_period / 12.0;
  scene.notes.push_back(note_of(encounter, total));
  scene.notes.emplace_back(disk_units);
  scene.units = disk_physical_units;
  return scene;
}

}  // namespace orrery::sim
