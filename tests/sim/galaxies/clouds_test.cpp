#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sim/galaxies/model.h"
#include "tests/sim/physics/direct_forces.h"

namespace orrery::sim {
namespace {

double mean_radius(const std::vector<Vec3>& positions) {
  double sum = 0.0;
  for (const Vec3& x : positions) sum += norm(DVec3(x)) / static_cast<double>(positions.size());
  return sum;
}

TEST(Shell, IsUniformBetweenItsRadiiAndTurnsLikeASolidBody) {
  const Scene scene = make_galaxy("shell", {20'000, 2});
  double inner_half = 0.0;
  const double middle = std::cbrt(0.5 * (std::pow(2.5, 3) + 64.0));
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const DVec3 x(scene.bodies.position[i]), v(scene.bodies.velocity[i]);
    ASSERT_GT(norm(x), 2.4);
    ASSERT_LT(norm(x), 4.1);
    inner_half += norm(x) < middle ? 1.0 / 20'000 : 0.0;
    // Omega^2 = 0.61 / 3.25^3.
    ASSERT_NEAR(v.y, 0.1333 * x.x, 5e-3);
    ASSERT_NEAR(v.x, -0.1333 * x.y, 5e-3);
  }
  EXPECT_NEAR(inner_half, 0.5, 0.01);
}

// A homogeneous ball that flies apart with K = 0.7 |W| moves as a stone thrown upwards: R = (5/3) (1 - cos e)
// at the time (5/3)^(3/2) (e - sin e), from R = 1.
double radius_at(double time) {
  const double half = 1.0 / 0.6;
  const auto clock = [&](double e) { return std::pow(half, 1.5) * (e - std::sin(e)); };
  const double start = std::acos(1.0 - 1.0 / half);
  double low = start, high = 3.2;
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (low + high);
    (clock(middle) - clock(start) < time ? low : high) = middle;
  }
  return half * (1.0 - std::cos(low));
}

TEST(ExpandingCloud, GrowsAsAHomogeneousBall) {
  const Scene scene = make_galaxy("expanding-cloud", {1000, 2});
  DirectStepper stepper(leapfrog, scene.bodies.position, scene.bodies.velocity, scene.bodies.mass,
                        static_cast<float>(scene.physics.softening));
  const double start = mean_radius(scene.bodies.position);
  EXPECT_NEAR(start, 0.75, 0.01);
  double time = 0.0;
  for (const double until : {1.0, 3.0, 6.2}) {
    const int steps = static_cast<int>(std::lround((until - time) / 0.01));
    stepper.advance(steps, 0.01F);
    time = until;
    EXPECT_NEAR(mean_radius(stepper.position()) / start, radius_at(time), 0.06 * radius_at(time)) << time;
  }
  EXPECT_GT(std::abs(radius_at(6.2) / radius_at(3.0) - 1.0), 0.1) << "the times tell growth from rest";
}

}  // namespace
}  // namespace orrery::sim
