#include "sim/galaxies/disk_galaxy.h"

namespace orrery::sim {

namespace {

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

}  // namespace

extern const GalaxyModel barred_model;
constinit const GalaxyModel barred_model{
    .name = "barred",
    .meaning = "a galaxy with a turning bar: a heavy disk in a light halo",
    .default_bodies = 4096,
    .minimum_bodies = 256,
    .maximum_bodies = 100'000'000,
    .most_shown = 150'000,
    .make = make_barred,
};

}  // namespace orrery::sim
