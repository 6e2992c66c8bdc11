#include <algorithm>
#include <cmath>

#include "sim/galaxies/disk_galaxy.h"
#include "sim/galaxies/model.h"
#include "sim/scene/physical_units.h"

namespace orrery::sim {

namespace {

// Units: kpc and 10^10 solar masses, with G = 1.
constexpr double kilometers_a_second = 1.0 / 207.38;

/// One of the two, in its own lengths: a DiskGalaxy's unit is the scale length of its disk.
struct LocalGalaxy {
  DiskGalaxy shape;
  double scale_length;       // of the disk, in kpc
  double inclination, node;  // of its spin, in degrees, as Particles::turn has them
};

// Stars and virial mass of McMillan (2011, MNRAS 414, 2446): 6.4 x 10^10 and 1.26 x 10^12 solar masses, disks
// with a scale length of 3 kpc. The scale of the halo gives his circular speed at the Sun, 239 km/s at 8.29
// kpc. The spin points to the galactic south pole.
constexpr LocalGalaxy milky_way{.shape = {.disk_mass = 5.5,
                                          .disk_height = 0.2,
                                          .toomre_q = 1.5,
                                          .bulge_mass = 0.9,
                                          .bulge_scale = 0.2,
                                          .bulge_edge = 2.0,
                                          .halo_mass = 119.6,
                                          .halo_scale = 50.0 / 3.0,
                                          .halo_edge = 300.0 / 3.0,
                                          .disk_fraction = 0.34,
                                          .bulge_fraction = 0.06},
                                .scale_length = 3.0,
                                .inclination = 180.0,
                                .node = 0.0};

// Stars as Tamm et al. (2012, A&A 546, A4): 10 to 15 x 10^10, 30 % of it in the bulge; scale length of the
// disk and effective radius of the bulge (1 kpc = 1.8 a) Courteau et al. (2011, ApJ 739, 20). Virial mass
// van der Marel et al. (2012a, ApJ 753, 8): 1.5 x 10^12. The scale of the halo gives about 250 km/s at 15
// kpc (Corbelli et al. 2010, A&A 511, A89; approximate, as mass and spin are). The spin follows from
// position angle, inclination and the near side (de Vaucouleurs 1958, ApJ 128, 465): galactic l = 241, b =
// -30 degrees.
constexpr LocalGalaxy andromeda{.shape = {.disk_mass = 8.0,
                                          .disk_height = 0.2,
                                          .toomre_q = 1.5,
                                          .bulge_mass = 3.0,
                                          .bulge_scale = 0.55 / 5.3,
                                          .bulge_edge = 2.0,
                                          .halo_mass = 139.0,
                                          .halo_scale = 62.0 / 5.3,
                                          .halo_edge = 320.0 / 5.3,
                                          .disk_fraction = 0.34,
                                          .bulge_fraction = 0.06},
                                .scale_length = 5.3,
                                .inclination = 120.0,
                                .node = 331.0};

// Of Andromeda from the Milky Way, along the axes of the Galaxy: x from the Sun to its centre, y along its
// rotation, z to the galactic north pole (van der Marel et al. 2012a, ApJ 753, 8): 774 kpc away, approaching
// with 109 km/s, moving across with 17; by Gaia faster, 57 +35 -31 (van der Marel et al. 2019).
struct Approach {
  DVec3 separation;  // in kpc
  DVec3 velocity;    // in the units of the scene
  double time;       // since today
};
constexpr Approach today{.separation = {-378.9, 612.7, -283.1},
                         .velocity = kilometers_a_second * DVec3{66.1, -76.3, 45.1},
                         .time = 0.0};
// Of their disks after 9350 steps from today with 100 000 bodies, a fifth of a billion years before the first
// passage: medians of the positions, means of the velocities.
constexpr Approach before_passage{.separation = {-25.2, 114.2, -28.8},
                                  .velocity = kilometers_a_second * DVec3{162.0, -348.0, 129.0},
                                  .time = 754.0};

// The N^(-0.26) of the disks, between a part of the bulges and the thickness of the disks.
double softening_of(std::size_t bodies) {
  return std::clamp(0.3 * std::pow(1e5 / static_cast<double>(bodies), 0.26), 0.06, 0.5);
}

// 0.3 of the time in which Andromeda's bulge turns by a radian at the softening length.
double time_step_of(double softening) {
  const double outer = softening + andromeda.shape.bulge_scale * andromeda.scale_length;
  return 0.3 * outer / std::sqrt(andromeda.shape.bulge_mass / softening);
}

Particles make_local(const LocalGalaxy& galaxy, double softening, std::size_t bodies, std::uint64_t seed,
                     const Ticker& ticker) {
  const double length = galaxy.scale_length, speed = 1.0 / std::sqrt(length);
  DiskGalaxy shape = galaxy.shape;
  shape.softening = softening / length;
  Particles particles = make_disk_galaxy(shape, bodies, seed, ticker);
  particles.scale(length, speed);
  particles.turn(galaxy.inclination, galaxy.node);
  return particles;
}

void describe(Scene& scene, const Approach& start) {
  scene.notes.emplace_back(
      "one possible future: masses and motion are known to a tenth or two, and other galaxies pull as well "
      "(LMC, M33); whether the two merge within 10 Gyr is even odds (Sawala et al. 2025)");
  scene.notes.emplace_back(
      start.time > 0.0 ? "begins 3.6 Gyr from now, 0.2 Gyr before the first passage: places and motions are "
                         "those of a run from today on (milky-way-andromeda-today), the galaxies are as "
                         "they are today"
                       : "begins today: Andromeda 774 kpc away, approaching with 109 km/s; the first passage "
                         "is at time 800 (3.8 Gyr)");
  scene.notes.emplace_back(
      "G = 1, lengths in kpc, masses in 10^10 solar masses: time in 4.715 Myr, velocity in "
      "207.4 km/s; axes of the Galaxy");
}

Scene make_approach(const ModelRequest& request, const Approach& start) {
  const double share = andromeda.shape.mass() / (milky_way.shape.mass() + andromeda.shape.mass());
  const auto second_bodies = static_cast<std::size_t>(share * static_cast<double>(request.bodies));
  const std::size_t first_bodies = request.bodies - second_bodies;
  Scene scene;
  scene.physics.softening = softening_of(request.bodies);
  Particles both = make_local(milky_way, scene.physics.softening, first_bodies, request.seed,
                              {request.progress, first_bodies, 0.0F, 0.4F});
  Particles second =
      make_local(andromeda, scene.physics.softening, second_bodies, request.seed ^ 0x9e3779b97f4a7c15U,
                 {request.progress, second_bodies, 0.4F, 0.8F});
  second.shift(start.separation, start.velocity);
  both.append(second);
  center(both);
  scene.bodies = to_bodies(both);
  scene.physics.time_step = time_step_of(scene.physics.softening);
  scene.time = start.time;
  scene.speed = 12.0;
  scene.units = {.length = 1e3 * meters_of_parsec,
                 .time = 1e3 * meters_of_parsec * kilometers_a_second / 1e3,
                 .mass = 1e10 * kilograms_of_sun};
  describe(scene, start);
  return scene;
}

template <const Approach& start>
constexpr GalaxyModel model_of(std::string_view name, std::string_view meaning) {
  return {.name = name,
          .meaning = meaning,
          .default_bodies = 10'000,
          .minimum_bodies = 2048,
          .maximum_bodies = 40'000'000,
          .make = [](const ModelRequest& request) { return make_approach(request, start); }};
}

}  // namespace

extern const GalaxyModel milky_way_andromeda_model, milky_way_andromeda_today_model;
constinit const GalaxyModel milky_way_andromeda_model = model_of<before_passage>(
    "milky-way-andromeda",
    "the Milky Way and Andromeda meet, disk, bulge and halo each: one possible future");
constinit const GalaxyModel milky_way_andromeda_today_model = model_of<today>(
    "milky-way-andromeda-today",
    "the Milky Way and Andromeda from today on, 3.8 Gyr before they meet: one possible future");

}  // namespace orrery::sim
