#include "sim/galaxies/encounter.h"

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "sim/galaxies/disk_galaxy.h"

namespace orrery::sim {

namespace {

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

std::string note_of(const Encounter& encounter, double total) {
  return fmt::format(
      "two {}disk galaxies on an orbit of eccentricity {}, pericentre {} near time {:.0f}; disks inclined by "
      "{} and {} degrees{}",
      encounter.mass_ratio == 1.0 ? "equal " : "", encounter.eccentricity, encounter.pericentre,
      encounter.time_to_pericentre(total), encounter.first.inclination, encounter.second.inclination,
      encounter.mass_ratio == 1.0 ? "" : fmt::format("; masses 1 : {:.2g}", encounter.mass_ratio));
}

/// The scene of an encounter: two galaxies of different seeds, in one system. The bodies are shared out by
/// mass.
Scene make_encounter(const Encounter& encounter, const ModelRequest& request) {
  const double ratio = encounter.mass_ratio, share = 1.0 / (1.0 + ratio);
  const EncounterPair pair = pair_of(encounter, request.bodies);
  const double total = (1.0 + ratio) * pair.galaxy.mass();
  const Orbit orbit = orbit_of(encounter, total);
  Particles first = make_disk_galaxy(pair.galaxy, pair.first_bodies, request.seed,
                                     {request.progress, pair.first_bodies, 0.0F, 0.4F});
  Particles second = make_second(pair, ratio, request);
  first.turn(encounter.first.inclination, encounter.first.node);
  second.turn(encounter.second.inclination, encounter.second.node);
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

template <const Encounter& encounter>
constexpr GalaxyModel model_of(std::string_view name, std::string_view meaning, std::size_t bodies,
                               std::size_t minimum) {
  return {.name = name,
          .meaning = meaning,
          .default_bodies = bodies,
          .minimum_bodies = minimum,
          .make = [](const ModelRequest& request) { return make_encounter(encounter, request); }};
}

// Both disks turn as they pass each other, so that each throws out a long tail, as those of the Antennae
// (NGC 4038/39; Toomre & Toomre 1972, section VI).
constexpr Encounter collision_orbit{.pericentre = 2.5,
                                    .eccentricity = 1.0,
                                    .separation = 10.0,
                                    .first = {.inclination = 25.0, .node = 30.0},
                                    .second = {.inclination = 40.0, .node = 210.0}};

// One disk nearly in the plane of the orbit, the other steep against it, on an ellipse: one straight tail and
// one curved, as those of the Mice (NGC 4676; angles and e = 0.6 after Toomre & Toomre 1972, section VI).
constexpr Encounter mice_orbit{.pericentre = 2.0,
                               .eccentricity = 0.6,
                               .separation = 7.0,
                               .first = {.inclination = 15.0, .node = 90.0},
                               .second = {.inclination = 60.0, .node = 270.0}};

// NGC 4038/39 as Toomre & Toomre (1972, ApJ 178, 623, section VI) place them: e = 0.5, both disks inclined by
// 60 degrees, pericentre 30 degrees before the nodes.
constexpr Encounter antennae_orbit{.pericentre = 2.5,
                                   .eccentricity = 0.5,
                                   .separation = 7.0,
                                   .first = {.inclination = 60.0, .node = 30.0},
                                   .second = {.inclination = 60.0, .node = 210.0}};

// The whirlpool and NGC 5195 as Toomre & Toomre (1972, ApJ 178, 623, section VI) place them: a companion of a
// third of the mass, e = 0.8, the disk inclined by -70 degrees, pericentre 15 degrees before the node.
constexpr Encounter m51_orbit{.mass_ratio = 1.0 / 3.0,
                              .pericentre = 3.5,
                              .eccentricity = 0.8,
                              .separation = 9.0,
                              .first = {.inclination = -70.0, .node = 15.0},
                              .second = {.inclination = 30.0, .node = 200.0}};

// A small galaxy falls along the axis through the middle of a disk, which answers with rings that run
// outwards, as the Cartwheel (Lynds & Toomre 1976, ApJ 209, 382).
constexpr Encounter head_on_orbit{.mass_ratio = 0.35,
                                  .pericentre = 0.02,
                                  .eccentricity = 1.0,
                                  .separation = 8.0,
                                  .first = {.inclination = 90.0, .node = 90.0},
                                  .second = {.inclination = 0.0, .node = 0.0}};

// A tenth of the mass on a narrow ellipse in the halo: dynamical friction (Chandrasekhar 1943, ApJ 97, 255)
// takes it down, tides take it apart.
constexpr Encounter satellite_orbit{.mass_ratio = 0.1,
                                    .pericentre = 3.0,
                                    .eccentricity = 0.3,
                                    .separation = 5.5,
                                    .first = {.inclination = 30.0, .node = 0.0},
                                    .second = {.inclination = 70.0, .node = 90.0}};

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

extern const GalaxyModel collision_model, mice_model, antennae_model, m51_model, head_on_model,
    satellite_model;
constinit const GalaxyModel collision_model = model_of<collision_orbit>(
    "collision", "two disk galaxies that meet on a parabola and throw out long tidal tails, as the Antennae",
    5120, 512);
constinit const GalaxyModel mice_model = model_of<mice_orbit>(
    "mice", "two disk galaxies on an ellipse, one steep against it: a straight and a curved tail", 5120, 512);
constinit const GalaxyModel antennae_model = model_of<antennae_orbit>(
    "antennae", "the Antennae (NGC 4038/39) after Toomre and Toomre: two equal disks on an ellipse", 5120,
    512);
constinit const GalaxyModel m51_model = model_of<m51_orbit>(
    "m51", "the whirlpool (M51): a companion of a third of the mass passes a disk and draws out two arms",
    5120, 1024);
constinit const GalaxyModel head_on_model = model_of<head_on_orbit>(
    "head-on", "a small galaxy falls through the middle of a disk: rings run outwards, as in the Cartwheel",
    5120, 1024);
constinit const GalaxyModel satellite_model = model_of<satellite_orbit>(
    "satellite", "a dwarf galaxy sinks into a large one and is torn apart", 5632, 2816);

}  // namespace orrery::sim
