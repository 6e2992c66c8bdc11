#include "sim/physics/diagnostics/local_density.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "sim/core/random.h"
#include "sim/galaxies/model.h"

namespace orrery::sim {
namespace {

struct Cloud {
  std::vector<Vec3> position;
  std::vector<float> mass;
  std::vector<GalaxyRange> galaxies;
  std::vector<float> density(std::size_t neighbours = 16) const {
    return local_density(position, mass, galaxies, neighbours);
  }
};

// A ball of radius 1; masses differ.
Cloud ball(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  Cloud cloud;
  for (std::size_t i = 0; i < count; ++i) {
    cloud.position.emplace_back(std::cbrt(random.uniform()) * random.direction());
    cloud.mass.push_back(i % 2 == 0 ? 1.0F : 3.0F);
  }
  cloud.galaxies = {{0, count}};
  return cloud;
}

// The definition, by sorting all distances.
double plain_density(const Cloud& cloud, std::size_t body, std::size_t neighbours) {
  std::vector<std::pair<double, double>> others;
  for (std::size_t i = 0; i < cloud.position.size(); ++i) {
    if (i == body) continue;
    const DVec3 d = DVec3(cloud.position[i]) - DVec3(cloud.position[body]);
    others.emplace_back(norm(d), cloud.mass[i]);
  }
  std::ranges::sort(others);
  double mass = 0.0;
  for (std::size_t k = 0; k + 1 < neighbours; ++k) mass += others[k].second;
  return mass / (4.0 / 3.0 * std::numbers::pi * std::pow(others[neighbours - 1].first, 3));
}

TEST(LocalDensity, FindsTheNearestNeighbours) {
  const Cloud cloud = ball(300, 5);
  for (const std::size_t neighbours : {2, 7, 16, 40}) {
    const auto density = cloud.density(neighbours);
    for (std::size_t i = 0; i < cloud.position.size(); ++i)
      ASSERT_NEAR(density[i] / plain_density(cloud, i, neighbours), 1.0, 1e-4) << i << " of " << neighbours;
  }
}

TEST(LocalDensity, HasNoBiasInAnEvenCloud) {
  const Cloud cloud = ball(40'000, 6);
  const auto density = cloud.density();
  double sum = 0.0, count = 0.0;
  for (std::size_t i = 0; i < density.size(); ++i) {
    if (norm(DVec3(cloud.position[i])) > 0.85) continue;
    sum += density[i], count += 1.0;
  }
  const double expected = 2.0 * 40'000 / (4.0 / 3.0 * std::numbers::pi);
  EXPECT_NEAR(sum / count / expected, 1.0, 0.01);
}

// rho(r) = 3 / (4 pi a^3) (1 + r^2/a^2)^(-5/2), a = 3 pi / 16.
TEST(LocalDensity, FollowsAPlummerSphere) {
  const Scene scene = make_galaxy("plummer", {30'000, 1});
  const auto galaxies = scene.bodies.galaxies();
  const auto density = local_density(scene.bodies.position, scene.bodies.mass, galaxies);
  const double a = 3.0 * std::numbers::pi / 16.0;
  double center = 0.0, outside = 0.0, few = 0.0, many = 0.0;
  for (std::size_t i = 0; i < density.size(); ++i) {
    const double r = norm(DVec3(scene.bodies.position[i]));
    const double known = 3.0 / (4.0 * std::numbers::pi * a * a * a) * std::pow(1.0 + r * r / (a * a), -2.5);
    if (r < 0.3) center += density[i] / known, few += 1.0;
    if (r > 0.8 && r < 1.2) outside += density[i] / known, many += 1.0;
  }
  EXPECT_NEAR(center / few, 1.0, 0.05);
  EXPECT_NEAR(outside / many, 1.0, 0.05);
}

TEST(LocalDensity, GalaxiesDoNotSeeEachOther) {
  Cloud both = ball(400, 7);
  const auto alone = both.density();
  both.position.insert(both.position.end(), both.position.begin(), both.position.end());
  both.mass.insert(both.mass.end(), both.mass.begin(), both.mass.end());
  both.galaxies = {{0, 400}, {400, 800}};
  const auto density = both.density();
  for (std::size_t i = 0; i < 400; ++i) {
    ASSERT_EQ(density[i], alone[i]);
    ASSERT_EQ(density[400 + i], alone[i]);
  }
}

TEST(LocalDensity, OddCloudsAreNoTrouble) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(Cloud().density().empty());
  EXPECT_EQ((Cloud{{Vec3{1, 2, 3}}, {1.0F}, {{0, 1}}}.density()), std::vector<float>{0.0F});
  const Cloud three{{Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0, 2, 0}}, {1, 1, 1}, {{0, 3}}};
  EXPECT_NEAR(three.density()[0], 1.0 / (4.0 / 3.0 * std::numbers::pi * 8.0), 1e-6);
  Cloud same{std::vector<Vec3>(5000, Vec3{1, 1, 1}), std::vector<float>(5000, 1.0F), {{0, 5000}}};
  same.position[77] = {nan, 0, 0};
  const auto density = same.density();
  EXPECT_TRUE(std::isnan(density[77]));
  EXPECT_TRUE(std::isinf(density[78]));
}

TEST(LocalDensity, Stops) {
  const Cloud cloud = ball(3000, 8);
  const std::atomic<bool> stop{true};
  EXPECT_TRUE(local_density(cloud.position, cloud.mass, cloud.galaxies, 16, &stop).empty());
}

}  // namespace
}  // namespace orrery::sim
