#include <fmt/format.h>

#include "sim/galaxies/disk_galaxy.h"
#include "sim/galaxies/model.h"

namespace orrery::sim {

namespace {

Scene make_disk(const ModelRequest& request) {
  DiskGalaxy galaxy;
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

}  // namespace

extern const GalaxyModel disk_model;
constinit const GalaxyModel disk_model{
    .name = "disk",
    .meaning = "a spiral galaxy: exponential disk, bulge and live halo, in equilibrium",
    .default_bodies = 4096,
    .minimum_bodies = 256,
    .maximum_bodies = 16'777'216,
    .make = make_disk,
};

}  // namespace orrery::sim
