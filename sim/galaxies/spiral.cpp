#include "sim/galaxies/disk_galaxy.h"

namespace orrery::sim {

namespace {

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

}  // namespace

extern const GalaxyModel spiral_model;
constinit const GalaxyModel spiral_model{
    .name = "spiral",
    .meaning = "a galaxy with two grand arms, which the cold disk takes up and winds",
    .default_bodies = 4096,
    .minimum_bodies = 256,
    .maximum_bodies = 100'000'000,
    .most_shown = 150'000,
    .make = make_spiral,
};

}  // namespace orrery::sim
