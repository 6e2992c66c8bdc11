#include <cmath>

#include "sim/core/random.h"
#include "sim/galaxies/model.h"
#include "sim/galaxies/particles.h"

namespace orrery::sim {

namespace {

// Positive charges turn one way about the z axis and negative ones the other: both are currents of one sense.
constexpr double turning_speed = 0.6;  // at radius 1
constexpr double thermal_speed = 0.3;

DVec3 in_ball(Random& random) {
  const DVec3 towards = random.direction();
  return std::cbrt(random.uniform()) * towards;
}

Component component_of(double sign) {
  if (sign == 0.0) return Component::other;
  return sign > 0.0 ? Component::star : Component::gas;
}

// Signs alternate, so that every part of the list is neutral; an odd one out has no charge.
double sign_of(std::size_t k, std::size_t count) {
  if (k + 1 == count && count % 2 == 1) return 0.0;
  return k % 2 == 0 ? 1.0 : -1.0;
}

// Random charges around a body give a field of about sqrt(N) q K_E, and q / m = N q: with q = N^(-3/4) the
// accelerations are about 1 for any N.
double charge_of(std::size_t count) { return std::pow(static_cast<double>(count), -0.75); }

Scene make_charges(const ModelRequest& request) {
  Random random(request.seed);
  const auto count = request.bodies;
  Particles particles{.ticker = {request.progress, count}};
  for (std::size_t k = 0; k < count; ++k) {
    const double sign = sign_of(k, count);
    const DVec3 x = in_ball(random);
    const DVec3 v = sign * turning_speed * DVec3{-x.y, x.x, 0.0} + thermal_speed * in_ball(random);
    particles.add(x, v, 1.0 / static_cast<double>(count), component_of(sign));
  }
  center(particles);
  Scene scene;
  scene.bodies = to_bodies(particles);
  for (std::size_t k = 0; k < count; ++k)
    scene.bodies.charge[k] = static_cast<float>(sign_of(k, count) * charge_of(count));
  scene.physics.law = &electric_law;
  scene.physics.integrator = find_integrator("symplectic-euler");
  scene.physics.softening = 0.5 / std::cbrt(static_cast<double>(count));  // half of the mean distance
  scene.physics.time_step = 0.001;
  scene.speed = 0.25;
  scene.notes.emplace_back(
      "scaled units: K_E = 1, K_M = 0.1 (a speed of light of 3.2), mass 1, radius 1, charges +-N^(-3/4)");
  scene.notes.emplace_back("positive charges are drawn as stars, negative ones as gas");
  return scene;
}

}  // namespace

extern const GalaxyModel charges_model;
constinit const GalaxyModel charges_model{
    .name = "charges",
    .meaning = "a neutral ball of moving charges with electric and magnetic forces (the electric report)",
    .maximum_bodies = 1'048'576,
    .most_shown = 0,
    .make = make_charges,
};

}  // namespace orrery::sim
