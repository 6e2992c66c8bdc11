#include "lab/verify/verification_scenes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/core/error.h"
#include "sim/core/random.h"
#include "sim/galaxies/model.h"

namespace orrery::lab {

namespace {

constexpr double other_gravity = 4.3;

double mass_of(const sim::Bodies& bodies, const sim::GalaxyRange& galaxy) {
  double sum = 0.0;
  for (std::size_t i = galaxy.first; i < galaxy.last; ++i) sum += static_cast<double>(bodies.mass[i]);
  return sum;
}

/// On a circle about body `center`, in a plane that chance decides.
sim::Vec3 circular_velocity(const sim::Scene& scene, std::size_t body, std::size_t center,
                            sim::Random& random) {
  const sim::DVec3 r(scene.bodies.position[body] - scene.bodies.position[center]);
  const double squared = dot(r, r) + scene.physics.softening * scene.physics.softening;
  const double pull =
      scene.physics.gravitational_constant * scene.bodies.mass[center] / (squared * std::sqrt(squared));
  const sim::DVec3 across = cross(r, random.direction());
  return sim::Vec3(across * (std::sqrt(pull * dot(r, r)) / norm(across)));
}

}  // namespace

void unequal_masses(sim::Scene& scene, std::uint64_t seed) {
  sim::Random random(seed);
  auto& bodies = scene.bodies;
  for (const auto& galaxy : bodies.galaxies()) {
    const double before = scene.physics.gravitational_constant * mass_of(bodies, galaxy);
    for (std::size_t i = galaxy.first; i < galaxy.last; ++i)
      bodies.mass[i] = static_cast<float>(std::pow(10.0, random.uniform()));
    const double factor = before / (other_gravity * mass_of(bodies, galaxy));
    for (std::size_t i = galaxy.first; i < galaxy.last; ++i)
      bodies.mass[i] = static_cast<float>(factor * static_cast<double>(bodies.mass[i]));
  }
  scene.physics.gravitational_constant = other_gravity;
}

sim::Scene unequal_plummer(const SceneSize& size) {
  auto scene = sim::make_galaxy("plummer", {size.bodies, size.seed});
  unequal_masses(scene, size.seed);
  scene.title = "plummer, unequal masses";
  return scene;
}

sim::Scene unequal_galaxies(const SceneSize& size) {
  constexpr std::size_t least = 16;  // that a Plummer sphere has
  if (size.bodies < 4 * least)
    throw sim::UsageError(fmt::format(
        "three galaxies of different sizes need {} bodies, not {}; ask for more, or name a dataset",
        4 * least, size.bodies));
  const std::size_t smallest = std::max(least, size.bodies / 9), middle = size.bodies / 3;
  auto scene = sim::make_galaxy("plummer", {size.bodies - smallest - middle, size.seed});
  scene.bodies.append(sim::make_galaxy("plummer", {middle, size.seed + 1}).bodies, 1);
  scene.bodies.append(sim::make_galaxy("plummer", {smallest, size.seed + 2}).bodies, 2);
  std::iota(scene.bodies.id.begin(), scene.bodies.id.end(), std::uint64_t{0});
  unequal_masses(scene, size.seed);
  scene.title = "three galaxies, unequal";
  return scene;
}

sim::Scene dominated_cloud(const SceneSize& size) {
  constexpr float ratio = 1e9F;
  auto scene = sim::make_galaxy("plummer", {size.bodies, size.seed});
  auto& bodies = scene.bodies;
  scene.physics.gravitational_constant = other_gravity;
  scene.physics.softening = 0.2;
  scene.physics.time_step = 1.0 / 128.0;
  const std::size_t center = size.bodies / 3;
  const auto mass = static_cast<float>(1.0 / other_gravity);
  std::ranges::fill(bodies.mass, mass / ratio);
  bodies.mass[center] = mass;
  bodies.position[center] = {2.0F, 0.0F, 0.0F};
  bodies.velocity[center] = {};
  sim::Random random(size.seed);
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (i != center) bodies.velocity[i] = circular_velocity(scene, i, center, random);
  scene.title = "one dominant body";
  return scene;
}

}  // namespace orrery::lab
