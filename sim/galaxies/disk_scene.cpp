#include <fmt/format.h>

#include "sim/galaxies/disk_galaxy.h"

namespace orrery::sim {

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

}  // namespace orrery::sim
