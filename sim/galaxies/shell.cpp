#include <cmath>

#include "sim/galaxies/draw_bodies.h"
#include "sim/galaxies/model.h"

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

// After the start "shell" of NVIDIA's CUDA sample nbody (Nyland, Harris & Prins 2007, GPU Gems 3, chapter
// 31).
Scene make_shell(const ModelRequest& request) {
  Scene scene;
  scene.bodies =
      draw_bodies(request.bodies, request.seed, {request.progress, request.bodies, 0.0F, 0.9F},
                  [&](std::size_t k, Random& random) { return draw_in_shell(k, request.seed, random); });
  center(scene.bodies);
  scene.physics.softening = 3.0 / std::cbrt(static_cast<double>(request.bodies));
  scene.physics.time_step = 0.02;
  scene.speed = 1.5;
  scene.notes.emplace_back(
      "as NVIDIA's sample nbody: radii 2.5 to 4, turning like a solid body; here G = M = 1 for any number of "
      "bodies");
  return scene;
}

}  // namespace

extern const GalaxyModel shell_model;
constinit const GalaxyModel shell_model{
    .name = "shell",
    .meaning = "a hollow ball that turns and falls together, as in NVIDIA's sample nbody",
    .default_bodies = 4096,
    .minimum_bodies = 2,
    .maximum_bodies = 100'000'000,
    .most_shown = 150'000,
    .make = make_shell,
};

}  // namespace orrery::sim
