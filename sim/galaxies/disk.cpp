#include <fmt/format.h>

#include "sim/galaxies/disk_galaxy.h"
#include "sim/galaxies/model.h"

namespace orrery::sim {

namespace {

Scene make_scene(DiskGalaxy galaxy, const ModelRequest& request) {
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

Scene make_disk(const ModelRequest& request) { return make_scene(spiral_disk(), request); }
Scene make_steady_disk(const ModelRequest& request) { return make_scene(steady_disk(), request); }

}  // namespace

extern const GalaxyModel disk_model, steady_disk_model;
constinit const GalaxyModel disk_model{
    .name = "disk",
    .meaning = "a spiral galaxy: a cold disk with bulge and live halo, which makes arms within a rotation",
    .default_bodies = 4096,
    .minimum_bodies = 256,
    .maximum_bodies = 16'777'216,
    .most_shown = 20'000,
    .make = make_disk,
};

constinit const GalaxyModel steady_disk_model{
    .name = "steady-disk",
    .meaning = "a warm disk with a heavy bulge and a live halo, in equilibrium: it keeps its shape",
    .default_bodies = 4096,
    .minimum_bodies = 256,
    .maximum_bodies = 16'777'216,
    .most_shown = 20'000,
    .make = make_steady_disk,
};

}  // namespace orrery::sim
