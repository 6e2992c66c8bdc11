#include "sim/galaxies/model.h"
#include "sim/galaxies/particles.h"

namespace orrery::sim {

namespace {

// Burrau 1913 (Astron. Nachr. 195, 113); Szebehely & Peters 1967 (Astron. J. 72, 876).
Scene make_pythagorean(const ModelRequest& /*request*/) {
  Particles particles;
  particles.add({1.0, 3.0, 0.0}, {}, 3.0, Component::star);
  particles.add({-2.0, -1.0, 0.0}, {}, 4.0, Component::star);
  particles.add({1.0, -1.0, 0.0}, {}, 5.0, Component::star);
  Scene scene;
  scene.bodies = to_bodies(particles);
  scene.names = {"3", "4", "5"};
  scene.radii = {0.0, 0.0, 0.0};
  // At t = 15.83 bodies come within 4e-4 at a speed of 200: the softening keeps what fixed steps make of it
  // in bounds. Until then the path is the published one, within 0.1.
  scene.physics.integrator = find_integrator("forest-ruth");
  scene.physics.softening = 1e-3;
  scene.physics.time_step = 2e-5;
  scene.speed = 1.0;
  scene.notes.emplace_back(
      "G = 1, masses 3, 4 and 5 at rest: they fall together and fling each other about; fixed steps follow "
      "the "
      "published path until t = 15.8");
  return scene;
}

}  // namespace

extern const GalaxyModel pythagorean_model;
constinit const GalaxyModel pythagorean_model{
    .name = "pythagorean",
    .meaning = "masses 3, 4 and 5, at rest at the corners of a 3-4-5 triangle",
    .default_bodies = 3,
    .minimum_bodies = 3,
    .maximum_bodies = 3,
    .make = make_pythagorean,
};

}  // namespace orrery::sim
