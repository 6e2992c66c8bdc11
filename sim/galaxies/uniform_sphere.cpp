#include <algorithm>
#include <cmath>
#include <numbers>

#include "sim/galaxies/draw_bodies.h"
#include "sim/galaxies/model.h"
#include "sim/galaxies/spheroid.h"

namespace orrery::sim {

namespace {

// A quarter of the mean distance of the bodies: with more the sphere breathes, as its edge is held more
// weakly.
double uniform_softening(std::size_t bodies) {
  return std::min(0.25, 0.4 / std::cbrt(static_cast<double>(bodies)));
}

// Omega^2 of the softened sphere, whose field is nearly linear: from the centre to where half of the mass is.
double turning_squared(double softening) {
  const Density constant = [](double r) { return r < 1.0 ? 1.0 : 0.0; };
  const Table mass = enclosed_mass(constant, 1.0, logarithmic_grid(1e-3, 1.0, 300));
  const Table potential = softened_potential(mass, softening);
  const double r = std::cbrt(0.5);
  return 2.0 * (potential(1e-3) - potential(r)) / (r * r);
}

// In a homogeneous sphere of radius R all bodies run through ellipses about its centre with one frequency. If
// (a, b) are the axes of the ellipse, f ~ [(R^2 - a^2)(R^2 - b^2)]^(-1/2) depends on energy and angular
// momentum alone and gives a constant density (Fridman & Polyachenko 1984, Physics of Gravitating Systems I).
// With u = (v_r / sqrt(R^2 - r^2), v_t / R) / Omega it is f ~ (1 - u^2)^(-1/2): three of the four coordinates
// of a point on the unit sphere of four dimensions.
DVec3 equilibrium_velocity(const DVec3& x, Random& random) {
  DVec3 u{random.normal(), random.normal(), random.normal()};
  const double fourth = random.normal();
  u = u * (1.0 / std::sqrt(dot(u, u) + fourth * fourth));
  const double squared = dot(x, x);
  const DVec3 radial = (dot(u, x) / squared) * x;
  return std::sqrt(std::max(0.0, 1.0 - squared)) * radial + (u - radial);
}

DVec3 uniform_place(std::size_t k, std::uint64_t seed, Random& random) {
  return std::cbrt(even_fraction(k, seed)) * random.direction();
}

Scene make_uniform_sphere(const ModelRequest& request) {
  const double softening = uniform_softening(request.bodies);
  const double omega = std::sqrt(turning_squared(softening));
  Scene scene = drawn_scene(request, [&](std::size_t k, Random& random) {
    const DVec3 x = uniform_place(k, request.seed, random);
    return DrawnBody{x, omega * equilibrium_velocity(x, random)};
  });
  scene.physics.softening = softening;
  scene.physics.time_step = std::min(0.02, 0.4 * softening);
  scene.speed = 2.0 * std::numbers::pi / 8.0;
  scene.notes.emplace_back("G = M = R = 1: constant density, every orbit is an ellipse of period 2 pi");
  return scene;
}

Scene make_cold_sphere(const ModelRequest& request) {
  Scene scene = drawn_scene(request, [&](std::size_t k, Random& random) {
    return DrawnBody{uniform_place(k, request.seed, random), {}};
  });
  scene.physics.softening = 2.0 * uniform_softening(request.bodies);
  // In the middle of the fall bodies are several times as fast.
  scene.physics.time_step = std::min(0.01, 0.1 * scene.physics.softening);
  scene.speed = 0.25;
  scene.notes.emplace_back("G = M = R = 1, at rest: falls together by the time pi / sqrt(8) = 1.11");
  return scene;
}

}  // namespace

extern const GalaxyModel uniform_sphere_model, cold_sphere_model;
constinit const GalaxyModel uniform_sphere_model{
    .name = "uniform-sphere",
    .meaning = "a sphere of constant density in equilibrium",
    .make = make_uniform_sphere,
};

constinit const GalaxyModel cold_sphere_model{
    .name = "cold-sphere",
    .meaning = "a sphere of constant density at rest, which falls together and settles",
    .make = make_cold_sphere,
};

}  // namespace orrery::sim
