#include <gtest/gtest.h>

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

#include "sim/galaxies/draw_bodies.h"
#include "sim/galaxies/isotropic_sphere.h"
#include "sim/galaxies/model.h"
#include "tests/sim/physics/direct_forces.h"
#include "tests/sim/physics/physics_assertions.h"

namespace orrery::sim {
namespace {

std::vector<double> radii_of(const std::vector<Vec3>& positions) {
  std::vector<double> radii;
  for (const Vec3& x : positions) radii.push_back(norm(DVec3(x)));
  std::ranges::sort(radii);
  return radii;
}

// The share of the mass within a radius, of a density written here from the literature: its integral by the
// trapezoidal rule on a fine grid.
Table cumulative_of(const std::function<double(double)>& density, double edge) {
  Table result{{0.0}, {0.0}};
  constexpr int points = 40'000;
  double last = 0.0;
  for (int k = 1; k <= points; ++k) {
    const double r = edge * std::pow(static_cast<double>(k) / points, 2);
    const double shell = r * r * density(r);
    result.y.push_back(result.y.back() + 0.5 * (shell + last) * (r - result.x.back()));
    result.x.push_back(r);
    last = shell;
  }
  for (double& each : result.y) each /= result.y.back();
  return result;
}

// The largest distance of the cumulative numbers from the profile, times sqrt(N): above 1.36 a random sample
// of the profile is with a probability of 5 % (Kolmogorov 1933).
double kolmogorov(const std::vector<double>& sorted, const Table& cumulative) {
  double distance = 0.0;
  const auto count = static_cast<double>(sorted.size());
  for (std::size_t k = 0; k < sorted.size(); ++k) {
    const double share = cumulative(sorted[k]);
    distance = std::max({distance, std::abs(share - static_cast<double>(k) / count),
                         std::abs(share - static_cast<double>(k + 1) / count)});
  }
  return distance * std::sqrt(count);
}

// Rounded inside the softening length, as the models are.
std::function<double(double)> rounded(const std::function<double(double)>& density, double softening) {
  return [=](double r) { return density(std::hypot(r, softening)); };
}

double hernquist_density(double r) {
  const double fading = r < 25.0 ? 1.0 : std::pow(1.0 - std::pow((r - 25.0) / 25.0, 2), 2);
  return fading / (r * std::pow(1.0 + r, 3));
}

double nfw_density(double r) {
  if (r < 10.0) return 1.0 / (r * std::pow(1.0 + r, 2));
  return nfw_density(9.999999) * std::pow(r / 10.0, 5.0 - 31.0 / 11.0) * std::exp(-(r - 10.0) / 2.0);
}

// King's density by the enclosed mass: dW/dr = -9 m / r^2, dm/dr = r^2 rho, in steps of the midpoint.
Table king_density_table() {
  const auto rho = [](double w) {
    return w <= 0.0 ? 0.0
                    : std::exp(w) * std::erf(std::sqrt(w)) -
                          std::sqrt(4.0 * w / std::numbers::pi) * (1.0 + 2.0 * w / 3.0);
  };
  Table result{{0.0}, {1.0}};
  constexpr double step = 1e-3;
  double w = 6.0, mass = 0.0, r = 1e-6;
  while (w > 0.0) {
    const double half_w = w - 0.5 * step * 9.0 * mass / (r * r);
    const double half_mass = mass + 0.5 * step * r * r * rho(w) / rho(6.0), half_r = r + 0.5 * step;
    w -= step * 9.0 * half_mass / (half_r * half_r);
    mass += step * half_r * half_r * rho(half_w) / rho(6.0);
    r += step;
    result.x.push_back(r);
    result.y.push_back(rho(w) / rho(6.0));
  }
  return result;
}

Table profile_of(const std::string& model, double softening) {
  if (model == "hernquist") return cumulative_of(rounded(hernquist_density, softening), 50.0);
  if (model == "nfw") return cumulative_of(rounded(nfw_density, softening), 30.0);
  if (model == "king") {
    const Table density = king_density_table();
    return cumulative_of(rounded(density, softening), density.x.back());
  }
  return cumulative_of([](double r) { return r <= 1.0 ? 1.0 : 0.0; }, 1.0);
}

class EverySphere : public testing::TestWithParam<const char*> {};

TEST_P(EverySphere, FollowsItsProfile) {
  const Scene scene = make_galaxy(GetParam(), {20'000, 3});
  const Table profile = profile_of(GetParam(), scene.physics.softening);
  const auto radii = radii_of(scene.bodies.position);
  EXPECT_LT(kolmogorov(radii, profile), 1.0);
  auto larger = radii;
  for (double& each : larger) each *= 1.04;
  EXPECT_GT(kolmogorov(larger, profile), 1.36) << "a sphere that is 4 % larger must be caught";
}

TEST_P(EverySphere, HasTheSameBitsForAnyNumberOfThreads) {
  const int before = omp_get_max_threads();
  omp_set_num_threads(1);
  const Bodies alone = make_galaxy(GetParam(), {20'001, 3}).bodies;
  omp_set_num_threads(5);
  const Bodies together = make_galaxy(GetParam(), {20'001, 3}).bodies;
  omp_set_num_threads(before);
  EXPECT_TRUE(alone.position == together.position && alone.velocity == together.velocity);
}

TEST_P(EverySphere, IsToldToStop) {
  Progress progress;
  progress.cancel = true;
  EXPECT_THROW(make_galaxy(GetParam(), {20'000, 1, &progress}), Cancelled);
}

INSTANTIATE_TEST_SUITE_P(Models, EverySphere,
                         testing::Values("hernquist", "nfw", "king", "uniform-sphere", "cold-sphere"),
                         [](const auto& each) {
                           std::string name = each.param;
                           std::erase(name, '-');
                           return name;
                         });

// The largest change of the radii of 20, 50 and 80 % of the bodies after each dynamical time, and of K /
// |virial|.
struct Change {
  double radius = 0.0, virial = 0.0;
};

Change largest_change(const Scene& scene, const std::vector<Vec3>& velocity, double dynamical, int times) {
  DirectStepper stepper(leapfrog, scene.bodies.position, velocity, scene.bodies.mass,
                        static_cast<float>(scene.physics.softening));
  const auto start = radii_of(scene.bodies.position);
  auto bodies = scene.bodies;
  Change result;
  for (int k = 0; k < times; ++k) {
    stepper.advance(static_cast<int>(dynamical / scene.physics.time_step),
                    static_cast<float>(scene.physics.time_step));
    const auto now = radii_of(stepper.position());
    for (const std::size_t fifth : {1U, 4U})
      result.radius = std::max(result.radius,
                               std::abs(now[now.size() * fifth / 5] / start[now.size() * fifth / 5] - 1.0));
    result.radius = std::max(result.radius, std::abs(now[now.size() / 2] / start[now.size() / 2] - 1.0));
    bodies.position = stepper.position();
    bodies.velocity = stepper.velocity();
    result.virial = std::max(result.virial, std::abs(checks::clausius_ratio(bodies, scene.physics) - 0.5));
  }
  return result;
}

struct Lasting {
  const char* model;
  double half_mass_radius;
};

class LastingSphere : public testing::TestWithParam<Lasting> {};

TEST_P(LastingSphere, KeepsItsShapeForTenDynamicalTimes) {
  const Scene scene = make_galaxy(GetParam().model, {1000, 1});
  const double dynamical = dynamical_time(GetParam().half_mass_radius);
  const Change change = largest_change(scene, scene.bodies.velocity, dynamical, 10);
  RecordProperty("radius", std::to_string(change.radius));
  RecordProperty("virial", std::to_string(change.virial));
  EXPECT_LT(change.radius, 0.14);
  EXPECT_LT(change.virial, 0.04);
  auto slow = scene.bodies.velocity;
  for (Vec3& v : slow) v *= 0.8F;
  EXPECT_GT(largest_change(scene, slow, dynamical, 1).radius, 0.15)
      << "one that turns too slowly must be caught";
}

INSTANTIATE_TEST_SUITE_P(Models, LastingSphere,
                         testing::Values(Lasting{"hernquist", 2.21}, Lasting{"nfw", 5.04},
                                         Lasting{"king", 2.65}, Lasting{"uniform-sphere", 0.794}),
                         [](const auto& each) {
                           std::string name = each.param.model;
                           std::erase(name, '-');
                           return name;
                         });

TEST(ColdSphere, FallsTogetherWhenAHomogeneousOneDoes) {
  const Scene scene = make_galaxy("cold-sphere", {1000, 2});
  DirectStepper stepper(leapfrog, scene.bodies.position, scene.bodies.velocity, scene.bodies.mass,
                        static_cast<float>(scene.physics.softening));
  const auto dt = static_cast<float>(scene.physics.time_step);
  // R = cos^2 b at the time (b + sin(2 b) / 2) / sqrt 2: b = pi/4 gives half of the radius.
  const double quarter = (std::numbers::pi / 4.0 + 0.5) / std::numbers::sqrt2;
  stepper.advance(static_cast<int>(std::lround(quarter / dt)), dt);
  EXPECT_NEAR(radii_of(stepper.position())[500] / std::cbrt(0.5), 0.5, 0.03);
  stepper.advance(static_cast<int>(std::lround((1.11 - quarter) / dt)), dt);
  EXPECT_LT(radii_of(stepper.position())[500], 0.25);
  stepper.advance(static_cast<int>(2.0 / dt), dt);
  EXPECT_EQ(checks::clausius_ratio(scene.bodies, scene.physics), 0.0);
  auto end = scene.bodies;
  end.position = stepper.position();
  end.velocity = stepper.velocity();
  EXPECT_NEAR(lab::energy_of(end, scene.physics), lab::energy_of(scene.bodies, scene.physics), 0.01);
}

}  // namespace
}  // namespace orrery::sim
