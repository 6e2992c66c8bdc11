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
  // Bodies come as near as 4e-4: steps short enough for that, and softening well below.
  scene.physics.softening = 1e-5;
  scene.physics.time_step = 2e-5;
  scene.speed = 1.0;
  scene.notes.emplace_back(
      "masses 3, 4, 5 at rest at the corners of a triangle with these sides, G = 1: after many encounters the "
      "lightest leaves, near t = 60");
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
