#include "sim/galaxies/disk_galaxy.h"

namespace orrery::sim {

namespace {

Scene make_disk(const ModelRequest& request) {
  DiskGalaxy galaxy = spiral_disk();
  galaxy.noise_bodies = 20'000.0;
  return make_disk_scene(galaxy, request);
}

Scene make_steady_disk(const ModelRequest& request) { return make_disk_scene(steady_disk(), request); }

}  // namespace

extern const GalaxyModel disk_model, steady_disk_model;
constinit const GalaxyModel disk_model{
    .name = "disk",
    .meaning = "a spiral galaxy: a cold disk with bulge and live halo, which makes arms within a rotation",
    .default_bodies = 4096,
    .minimum_bodies = 256,
    .maximum_bodies = 100'000'000,
    .most_shown = 150'000,
    .make = make_disk,
};

constinit const GalaxyModel steady_disk_model{
    .name = "steady-disk",
    .meaning = "a warm disk with a heavy bulge and a live halo, in equilibrium: it keeps its shape",
    .default_bodies = 4096,
    .minimum_bodies = 256,
    .maximum_bodies = 100'000'000,
    .most_shown = 150'000,
    .make = make_steady_disk,
};

}  // namespace orrery::sim
