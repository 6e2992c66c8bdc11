#include "sim/core/random.h"
#include "sim/galaxies/model.h"
#include "sim/galaxies/particles.h"

namespace orrery::sim {

namespace {

// The start of the 2-D report (COM4521): uniform in a square of side 1, at rest, masses 1/N, G = 9.8 and a
// softening of 2, twice the side, so that the force is nearly linear in the distance.
Scene make_square(const ModelRequest& request) {
  Random random(request.seed);
  Particles particles{.ticker = {request.progress, request.bodies}};
  const double mass = 1.0 / static_cast<double>(request.bodies);
  for (std::size_t k = 0; k < request.bodies; ++k) {
    const double x = random.uniform(-0.5, 0.5);
    const double y = random.uniform(-0.5, 0.5);
    particles.add({x, y, 0.0}, {}, mass, Component::star);
  }
  center(particles);
  Scene scene;
  scene.bodies = to_bodies(particles);
  scene.physics.gravitational_constant = 9.8;
  scene.physics.softening = 2.0;
  scene.physics.time_step = 0.01;
  scene.physics.dimensions = 2;
  scene.physics.integrator = find_integrator("explicit-euler");
  scene.speed = 1.0;
  scene.notes.emplace_back(
      "COM4521: the plane z = 0, side 1, mass 1, G = 9.8, softening 2; it is smallest at time 1.5, and large "
      "again at 3");
  return scene;
}

}  // namespace

extern const GalaxyModel square_model;
constinit const GalaxyModel square_model{
    .name = "square",
    .meaning = "bodies at rest, uniform in a square of the plane (COM4521)",
    .default_bodies = 10'000,
    .maximum_bodies = 4'000'000,
    .most_shown = 0,
    .make = make_square,
};

}  // namespace orrery::sim
