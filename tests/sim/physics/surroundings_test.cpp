#include "sim/physics/diagnostics/local_density.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "sim/galaxies/model.h"

namespace orrery::sim {
namespace {

TEST(Surroundings, OfTwoBodiesAreThoseOfTheFormula) {
  const std::vector<float> position{0, 0, 0, 2, 3, 0, 0, 1, 100, 0, 0, 50};
  Physics physics;
  physics.gravitational_constant = 5.0;
  physics.softening = 4.0;
  // The third body is of another galaxy.
  const auto found = surroundings_of(1, {0, 2}, position, physics);
  EXPECT_DOUBLE_EQ(found.potential, -5.0 * 2.0 / 5.0);
  EXPECT_DOUBLE_EQ(found.center.x, 1.0);
}

TEST(Surroundings, OfAPlummerSphereAreItsPotential) {
  const auto scene = make_galaxy("plummer", {20'000, 4});
  std::vector<float> position;
  double mass = 0.0, half = 0.0;
  std::vector<double> radii;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const auto& x = scene.bodies.position[i];
    position.insert(position.end(), {x.x, x.y, x.z, scene.bodies.mass[i]});
    mass += scene.bodies.mass[i];
    radii.push_back(double{norm(x)});
  }
  std::ranges::nth_element(radii, radii.begin() + 10'000);
  half = radii[10'000];
  // Plummer 1911: half of the mass lies within 1.3048 a, and the potential is -G M / sqrt(r^2 + a^2).
  const double scale = half / 1.3048;
  Physics physics;
  physics.softening = 0.0;
  for (const std::size_t body : {0U, 77U, 5000U}) {
    const double r = norm(scene.bodies.position[body]);
    const auto found = surroundings_of(body, {0, 20'000}, position, physics);
    const double expected = -mass * physics.gravitational_constant / std::hypot(r, scale);
    EXPECT_NEAR(found.potential / expected, 1.0, 0.03) << body;
    EXPECT_LT(norm(found.center), 0.05 * scale);
  }
}

TEST(Surroundings, LeaveOutWhatLiesInTheSamePlace) {
  const std::vector<float> position{1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1};
  Physics physics;
  physics.softening = 0.0;
  EXPECT_DOUBLE_EQ(surroundings_of(0, {0, 3}, position, physics).potential, -physics.gravitational_constant);
}

}  // namespace
}  // namespace orrery::sim
