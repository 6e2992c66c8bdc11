#include <cmath>
#include <numbers>

#include "sim/galaxies/model.h"
#include "sim/galaxies/particles.h"

namespace orrery::sim {

namespace {

constexpr double eccentricity = 0.5;

// Two halves of a unit mass, semi-major axis 1, period 2 pi, started at apocentre.
Scene make_two_body(const ModelRequest& /*request*/) {
  const double r = 1.0 + eccentricity;
  const double v = std::sqrt((1.0 - eccentricity) / (1.0 + eccentricity));
  Particles particles;
  particles.add({-0.5 * r, 0, 0}, {0, -0.5 * v, 0}, 0.5, Component::star);
  particles.add({0.5 * r, 0, 0}, {0, 0.5 * v, 0}, 0.5, Component::star);
  Scene scene;
  scene.bodies = to_bodies(particles);
  scene.physics.softening = 1e-4;
  scene.period = 2.0 * std::numbers::pi;
  scene.physics.time_step = scene.period / 1000.0;
  scene.speed = scene.period / 6.0;
  scene.notes.emplace_back(
      "Kepler orbit, e = 0.5, a = 1, G = M = 1, period 2 pi: the ellipses must not turn");
  return scene;
}

}  // namespace

extern const GalaxyModel two_body_model;
constinit const GalaxyModel two_body_model{
    .name = "two-body",
    .meaning = "two equal bodies on an ellipse of eccentricity 0.5",
    .default_bodies = 2,
    .minimum_bodies = 2,
    .maximum_bodies = 2,
    .make = make_two_body,
};

}  // namespace orrery::sim
