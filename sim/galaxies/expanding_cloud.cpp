#include <algorithm>
#include <cmath>

#include "sim/galaxies/draw_bodies.h"
#include "sim/galaxies/model.h"

namespace orrery::sim {

namespace {

// v = H r: K = (3/10) H^2 and W = -3/5 for a ball with G = M = R = 1. With K = 0.7 |W| it grows to 1 / 0.3 of
// its size, then it falls together.
constexpr double expansion_share = 0.7;

// After the start "expand" of NVIDIA's CUDA sample nbody (Nyland, Harris & Prins 2007, GPU Gems 3, chapter
// 31).
Scene make_expanding_cloud(const ModelRequest& request) {
  const double rate = std::sqrt(2.0 * expansion_share);
  Scene scene;
  scene.bodies = draw_bodies(request.bodies, request.seed, {request.progress, request.bodies, 0.0F, 0.9F},
                             [&](std::size_t k, Random& random) {
                               const DVec3 x = std::cbrt(even_fraction(k, request.seed)) * random.direction();
                               return DrawnBody{x, rate * x};
                             });
  center(scene.bodies);
  scene.physics.softening = std::min(0.25, 0.3 / std::cbrt(static_cast<double>(request.bodies)));
  scene.physics.time_step = std::min(0.01, 0.3 * scene.physics.softening);
  scene.speed = 1.0;
  scene.notes.emplace_back(
      "as NVIDIA's sample nbody, all bodies fly apart; G = M = R = 1, K = 0.7 |W|: largest (3.3) at time "
      "6.2");
  return scene;
}

}  // namespace

extern const GalaxyModel expanding_cloud_model;
constinit const GalaxyModel expanding_cloud_model{
    .name = "expanding-cloud",
    .meaning = "a ball that flies apart, comes to rest and falls together, as in NVIDIA's sample nbody",
    .default_bodies = 4096,
    .minimum_bodies = 2,
    .maximum_bodies = 100'000'000,
    .most_shown = 150'000,
    .make = make_expanding_cloud,
};

}  // namespace orrery::sim
