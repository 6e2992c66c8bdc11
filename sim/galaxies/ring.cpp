#include "sim/galaxies/disk_galaxy.h"

namespace orrery::sim {

namespace {

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

}  // namespace

extern const GalaxyModel ring_model;
constinit const GalaxyModel ring_model{
    .name = "ring",
    .meaning = "a round bulge inside a ring of stars, as Hoag's object, in equilibrium",
    .default_bodies = 4096,
    .minimum_bodies = 256,
    .maximum_bodies = 100'000'000,
    .most_shown = 150'000,
    .make = make_ring,
};

}  // namespace orrery::sim
