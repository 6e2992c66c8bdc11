#include "sim/galaxies/isotropic_sphere.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sim/galaxies/spheroid.h"

namespace orrery::sim {

namespace {

constexpr std::size_t grid_points = 400;

// The centre of the grid is well inside the softening length; a core without mass needs none.
std::vector<double> radii_of(const IsotropicSphere& sphere, double softening) {
  return logarithmic_grid(std::min(0.05 * softening, 1e-3 * sphere.half_mass_radius), sphere.edge,
                          grid_points);
}

// The N^(-0.28) of Merritt (1996, AJ 111, 2462), with plummer's factor.
double sphere_softening(double half_mass_radius, std::size_t bodies) {
  const double few = std::pow(4096.0 / static_cast<double>(bodies), 0.28);
  return half_mass_radius * std::min(0.25, 0.065 * few);
}

}  // namespace

SphereDistribution::SphereDistribution(const IsotropicSphere& sphere, double softening) {
  // A cusp inside the softening length has no equilibrium.
  const Density rounded = [&](double r) {
    return r < sphere.edge ? sphere.density(std::hypot(r, softening)) : 0.0;
  };
  mass_ = enclosed_mass(rounded, 1.0, radii_of(sphere, softening));
  potential_ = softened_potential(mass_, softening);
  distribution_ = eddington(rounded, potential_);
}

DrawnBody SphereDistribution::draw(double fraction, Random& random) const {
  const double r = inverse(mass_, fraction);
  const DVec3 position = r * random.direction(), towards = random.direction();
  return {position, draw_speed(distribution_, potential_(r), random) * towards};
}

double dynamical_time(double half_mass_radius) {
  const double density = 0.5 / (4.0 / 3.0 * std::numbers::pi * std::pow(half_mass_radius, 3));
  return std::sqrt(3.0 * std::numbers::pi / (16.0 * density));
}

Scene make_isotropic_sphere(const IsotropicSphere& sphere, const ModelRequest& request) {
  const double softening = sphere_softening(sphere.half_mass_radius, request.bodies);
  const SphereDistribution distribution(sphere, softening);
  Scene scene = drawn_scene(request, [&](std::size_t k, Random& random) {
    return distribution.draw(even_fraction(k, request.seed), random);
  });
  scene.physics.softening = softening;
  // A body crosses a third of the softening length in a step.
  const double speed = std::sqrt(1.0 / sphere.half_mass_radius);
  scene.physics.time_step = 0.3 * softening / speed;
  scene.speed = 0.5 * dynamical_time(sphere.half_mass_radius);
  return scene;
}

}  // namespace orrery::sim
