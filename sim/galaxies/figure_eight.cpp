#include "sim/galaxies/model.h"
#include "sim/galaxies/particles.h"

namespace orrery::sim {

namespace {

constexpr double period = 6.32591398;

// Moore 1993; Chenciner & Montgomery 2000 (Annals of Math. 152, 881), with Simo's initial conditions.
Scene make_figure_eight(const ModelRequest& /*request*/) {
  const DVec3 x{0.97000436, -0.24308753, 0.0};
  const DVec3 v{-0.93240737, -0.86473146, 0.0};
  Particles particles;
  particles.add(x, -0.5 * v, 1.0, Component::star);
  particles.add(-x, -0.5 * v, 1.0, Component::star);
  particles.add({}, v, 1.0, Component::star);
  Scene scene;
  scene.bodies = to_bodies(particles);
  scene.physics.softening = 1e-4;
  scene.period = period;
  scene.physics.time_step = period / 1200.0;
  scene.speed = period / 8.0;
  scene.notes.emplace_back(
      "G = m = 1, period 6.3259: after a third of it the three bodies have changed places");
  return scene;
}

}  // namespace

extern const GalaxyModel figure_eight_model;
constinit const GalaxyModel figure_eight_model{
    .name = "figure-eight",
    .meaning = "three equal bodies chasing each other along an eight",
    .default_bodies = 3,
    .minimum_bodies = 3,
    .maximum_bodies = 3,
    .make = make_figure_eight,
};

}  // namespace orrery::sim
