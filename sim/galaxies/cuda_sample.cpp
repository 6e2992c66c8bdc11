#include <algorithm>
#include <cmath>

#include "sim/galaxies/draw_bodies.h"
#include "sim/galaxies/model.h"

// Spheres after the starts "shell" and "expand" of NVIDIA's CUDA sample nbody (Nyland, Harris & Prins 2007,
// GPU Gems 3, chapter 31).

namespace orrery::sim {

namespace {

constexpr double inner_radius = 2.5, outer_radius = 4.0;
// Omega^2 r^3 / (G M) in the middle of the shell. The CUDA sample nbody has masses of 1, so that it depends
// on the number of bodies there; this is its value with 30 720.
constexpr double bound_share = 0.61;

double shell_turning_speed() {
  const double middle = 0.5 * (inner_radius + outer_radius);
  return std::sqrt(bound_share / (middle * middle * middle));
}

DrawnBody draw_in_shell(std::size_t k, std::uint64_t seed, Random& random) {
  const double inner = std::pow(inner_radius, 3), outer = std::pow(outer_radius, 3);
  const DVec3 x = std::cbrt(inner + (outer - inner) * even_fraction(k, seed)) * random.direction();
  return {x, shell_turning_speed() * DVec3{-x.y, x.x, 0.0}};
}

Scene make_shell(const ModelRequest& request) {
  Scene scene = drawn_scene(
      request, [&](std::size_t k, Random& random) { return draw_in_shell(k, request.seed, random); });
  scene.physics.softening = 3.0 / std::cbrt(static_cast<double>(request.bodies));
  scene.physics.time_step = 0.02;
  scene.speed = 1.5;
  scene.notes.emplace_back(
      "as NVIDIA's sample nbody: radii 2.5 to 4, turning like a solid body; here G = M = 1 for any number of "
      "bodies");
  return scene;
}

// v = H r: K = (3/10) H^2 and W = -3/5 for a ball with G = M = R = 1. With K = 0.7 |W| it grows to 1 / 0.3 of
// its size, then it falls together.
constexpr double expansion_share = 0.7;

Scene make_expanding_cloud(const ModelRequest& request) {
  const double rate = std::sqrt(2.0 * expansion_share);
  Scene scene = drawn_scene(request, [&](std::size_t k, Random& random) {
    const DVec3 x = std::cbrt(even_fraction(k, request.seed)) * random.direction();
    return DrawnBody{x, rate * x};
  });
  scene.physics.softening = std::min(0.25, 0.3 / std::cbrt(static_cast<double>(request.bodies)));
  scene.physics.time_step = std::min(0.01, 0.3 * scene.physics.softening);
  scene.speed = 1.0;
  scene.notes.emplace_back(
      "as NVIDIA's sample nbody, all bodies fly apart; G = M = R = 1, K = 0.7 |W|: largest (3.3) at time "
      "6.2");
  return scene;
}

}  // namespace

extern const GalaxyModel shell_model, expanding_cloud_model;
constinit const GalaxyModel shell_model{
    .name = "shell",
    .meaning = "a hollow ball that turns and falls together, as in NVIDIA's sample nbody",
    .make = make_shell,
};
constinit const GalaxyModel expanding_cloud_model{
    .name = "expanding-cloud",
    .meaning = "a ball that flies apart, comes to rest and falls together, as in NVIDIA's sample nbody",
    .make = make_expanding_cloud,
};

}  // namespace orrery::sim
