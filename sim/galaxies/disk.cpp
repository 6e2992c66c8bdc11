#include <fmt/format.h>

#include "sim/galaxies/disk_galaxy.h"

namespace orrery::sim {

namespace {

/// The scene of one such galaxy, with the softening of that many bodies and the step that goes with it.
Scene make_disk_scene(DiskGalaxy galaxy, const ModelRequest& request) {
  galaxy.softening = disk_softening(request.bodies);
  Scene scene;
  scene.bodies = to_bodies(
      make_disk_galaxy(galaxy, request.bodies, request.seed, {request.progress, request.bodies, 0.0F, 0.8F}));
  scene.physics.softening = galaxy.softening;
  scene.physics.time_step = disk_time_step(galaxy);
  scene.speed = disk_rotation_period / 16.0;
  scene.notes.push_back(
      fmt::format("exponential disk {}, Hernquist bulge {}, Hernquist halo {} (masses); Q = {}",
                  galaxy.disk_mass, galaxy.bulge_mass, galaxy.halo_mass, galaxy.toomre_q));
  scene.notes.emplace_back(disk_units);
  scene.units = disk_physical_units;
  return scene;
}

Scene make_disk(const ModelRequest& request) {
  DiskGalaxy galaxy = spiral_disk();
  galaxy.noise_bodies = 20'000.0;
  return make_disk_scene(galaxy, request);
}

Scene make_steady_disk(const ModelRequest& request) { return make_disk_scene(steady_disk(), request); }

// The cold disk with two arms to begin with: swing amplification (Toomre 1981, in The Structure and Evolution
// of Normal Galaxies) takes them up and keeps them the strongest for a rotation or two.
Scene make_spiral(const ModelRequest& request) {
  DiskGalaxy galaxy = spiral_disk();
  galaxy.pattern_strength = 0.6;
  galaxy.pattern_pitch = 30.0;
  Scene scene = make_disk_scene(galaxy, request);
  scene.notes.emplace_back("begins with two trailing arms of pitch 30 degrees, 60 % denser than the disk");
  return scene;
}

// As Hoag's object (Hoag 1950, AJ 55, 170): a light ring of stars around a heavy round bulge.
Scene make_ring(const ModelRequest& request) {
  DiskGalaxy galaxy = steady_disk();
  galaxy.disk_mass = 0.15;
  galaxy.disk_hole = 3.0;
  galaxy.q_radius = 3.0;
  galaxy.disk_taper = 3.5;
  galaxy.disk_edge = 5.5;
  galaxy.toomre_q = 1.5;
  Scene scene = make_disk_scene(galaxy, request);
  scene.notes.emplace_back("the disk has a hole of radius 3: a ring around the bulge, in equilibrium");
  return scene;
}

// A disk that is heavy against bulge and halo makes a bar (Ostriker & Peebles 1973, ApJ 186, 467); the bar to
// begin with says where.
Scene make_barred(const ModelRequest& request) {
  DiskGalaxy galaxy = spiral_disk();
  galaxy.bulge_mass = 0.1;
  galaxy.halo_mass = 1.5;
  galaxy.toomre_q = 1.2;
  galaxy.pattern_strength = 0.6;
  galaxy.pattern_end = 2.5;
  Scene scene = make_disk_scene(galaxy, request);
  scene.notes.emplace_back("a heavy disk with a bar to begin with, which grows");
  return scene;
}

constexpr GalaxyModel model_of(std::string_view name, std::string_view meaning,
                               Scene (*make)(const ModelRequest&)) {
  return {.name = name, .meaning = meaning, .minimum_bodies = 256, .make = make};
}

}  // namespace

extern const GalaxyModel disk_model, steady_disk_model, spiral_model, ring_model, barred_model;
constinit const GalaxyModel disk_model = model_of(
    "disk", "a spiral galaxy: a cold disk with bulge and live halo, which makes arms within a rotation",
    make_disk);
constinit const GalaxyModel steady_disk_model = model_of(
    "steady-disk", "a warm disk with a heavy bulge and a live halo, in equilibrium: it keeps its shape",
    make_steady_disk);
constinit const GalaxyModel spiral_model =
    model_of("spiral", "a galaxy with two grand arms, which the cold disk takes up and winds", make_spiral);
constinit const GalaxyModel ring_model =
    model_of("ring", "a round bulge inside a ring of stars, as Hoag's object, in equilibrium", make_ring);
constinit const GalaxyModel barred_model =
    model_of("barred", "a galaxy with a turning bar: a heavy disk in a light halo", make_barred);

}  // namespace orrery::sim
