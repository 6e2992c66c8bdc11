// What a tree must keep, and whether mistakes in it are seen.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/cpu/kernel.h"
#include "sim/galaxies/model.h"
#include "sim/options/tree_options.h"
#include "sim/physics/diagnostics/diagnostics.h"
#include "tests/sim/tree/wrong_trees.h"

namespace orrery::sim {
namespace {

constexpr double softening = 0.05;

struct Way {
  const char* kernel = "tree";
  TreeSettings tree = {};
  void (*change)(Octree&) = nullptr;
};

std::vector<Vec3> accelerations(const Bodies& bodies, const Way& way) {
  std::vector<Vec3> found(bodies.size());
  const auto galaxies = bodies.galaxies();
  std::vector<Vec3> scratch;
  find_cpu_kernel(way.kernel)
      ->evaluate({.position = bodies.position,
                  .mass = bodies.mass,
                  .galaxies = galaxies,
                  .softening_squared = static_cast<float>(softening * softening),
                  .threads = 2,
                  .acceleration = found,
                  .scratch = &scratch,
                  .tree = way.tree,
                  .change_tree = way.change});
  return found;
}

double median_error(const Bodies& bodies, const Way& way) {
  const auto found = accelerations(bodies, way);
  std::vector<double> errors;
  for (std::size_t i = 0; i < bodies.size(); i += 1 + bodies.size() / 200) {
    const auto exact =
        gravity_law.acceleration({bodies.position, bodies.velocity, bodies.mass, bodies.charge},
                                 {.softening_squared = softening * softening}, i, {0, bodies.size()});
    errors.push_back(norm(DVec3(found[i]) - exact) / norm(exact));
  }
  std::ranges::sort(errors);
  return errors[errors.size() / 2];
}

Bodies plummer(std::size_t count) { return make_galaxy("plummer", {.bodies = count, .seed = 3}).bodies; }

/// Of log y over log x, by least squares.
double slope(std::span<const std::array<double, 2>> points) {
  const auto count = static_cast<double>(points.size());
  double x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
  for (const auto& point : points) {
    const double a = std::log(point[0]), b = std::log(point[1]);
    x += a, y += b, xx += a * a, xy += a * b;
  }
  return (count * xy - x * y) / (count * xx - x * x);
}

double slope_of_alpha(const Bodies& bodies, void (*change)(Octree&) = nullptr) {
  std::vector<std::array<double, 2>> points;
  for (const double alpha : {0.03, 0.01, 0.003, 0.001, 0.0003})
    points.push_back({alpha, median_error(bodies, {.tree = {.alpha = alpha}, .change = change})});
  return slope(points);
}

double slope_of_theta(const Bodies& bodies, void (*change)(Octree&) = nullptr) {
  std::vector<std::array<double, 2>> points;
  for (const double theta : {0.9, 0.7, 0.5, 0.35})
    points.push_back(
        {theta, median_error(bodies, {.tree = {.relative = false, .theta = theta}, .change = change})});
  return slope(points);
}

/// Second moments leave out the third order of size over distance; with a wrong sign they are an error of the
/// second.
TEST(TreePhysics, ErrorsFallAsTheSeriesSays) {
  const auto bodies = plummer(20'000);
  const double right = slope_of_theta(bodies), turned = slope_of_theta(bodies, turn_second_moments);
  EXPECT_NEAR(right, 3.0, 0.5);
  EXPECT_NEAR(turned, 2.0, 0.5);
  EXPECT_NEAR(slope_of_alpha(bodies), 0.5, 0.15);
}

/// Third moments make the error smaller at every angle, and with a wrong sign larger. (The order itself is
/// seen of single cells: far_series_test.cpp. Here groups have a size, too.)
TEST(TreePhysics, OctupolesErrLessAtEveryAngle) {
  const auto bodies = plummer(20'000);
  for (const double theta : {0.9, 0.7, 0.5, 0.35}) {
    const TreeSettings seconds{.relative = false, .theta = theta, .far_series = false};
    auto thirds = seconds;
    thirds.order = CellOrder::octupole;
    const double error = median_error(bodies, {.tree = thirds});
    EXPECT_LT(error, stated_error(thirds).median) << theta;
    EXPECT_LT(error, 0.7 * median_error(bodies, {.tree = seconds})) << theta;
    EXPECT_GT(median_error(bodies, {.tree = thirds, .change = turn_third_moments}), 2.0 * error) << theta;
  }
}

/// By the relative rule, with cells that do without their third moments and with series that have them. alpha
/// means about the same as with second moments.
TEST(TreePhysics, OctupolesKeepTheErrorOfAnAlpha) {
  for (const std::size_t count : {20'000U, 40'000U}) {
    const auto bodies = plummer(count);
    for (const double alpha : {1e-3, 1e-4, 2e-5}) {
      const TreeSettings settings{.alpha = alpha, .order = CellOrder::octupole};
      const double error = median_error(bodies, {.tree = settings});
      EXPECT_LT(error, stated_error(settings).median) << count << ' ' << alpha;
      EXPECT_GT(error, 0.1 * stated_error(settings).median) << count << ' ' << alpha;
      EXPECT_LT(error, 2.0 * median_error(bodies, {.tree = {.alpha = alpha}})) << count << ' ' << alpha;
    }
    const TreeSettings settings{.alpha = 1e-4, .order = CellOrder::octupole};
    EXPECT_GT(median_error(bodies, {.tree = settings, .change = turn_third_moments}),
              1.5 * median_error(bodies, {.tree = settings}));
  }
}

TEST(TreePhysics, ErrorsStayAsBodiesGrow) {
  for (const std::size_t count : {5000U, 20'000U, 80'000U}) {
    const double error = median_error(plummer(count), {});
    EXPECT_LT(error, stated_error(TreeSettings{}).median) << count;
    EXPECT_GT(error, 0.1 * stated_error(TreeSettings{}).median) << count;
  }
}

/// Every body with another on the other side of the centre: their pulls are opposite.
double asymmetry(const Way& way) {
  auto bodies = plummer(6000);
  const std::size_t half = bodies.size() / 2;
  for (std::size_t i = 0; i < half; ++i) bodies.position[half + i] = -1.0F * bodies.position[i];
  const auto found = accelerations(bodies, way);
  double sum = 0.0, size = 0.0;
  for (std::size_t i = 0; i < half; ++i) {
    sum += norm(DVec3(found[i]) + DVec3(found[half + i]));
    size += norm(DVec3(found[i]));
  }
  return sum / size;
}

TEST(TreePhysics, PullsAreAsSymmetricAsTheBodies) {
  EXPECT_LT(asymmetry({}), stated_error(TreeSettings{}).median);
  EXPECT_GT(asymmetry({.change = turn_second_moments}), stated_error(TreeSettings{}).median);
  EXPECT_GT(asymmetry({.change = forget_children}), stated_error(TreeSettings{}).median);
}

Diagnostics state_of(const Bodies& bodies) {
  const auto galaxies = bodies.galaxies();
  return diagnose(view_of(bodies, galaxies), {.physics = {.softening = softening}, .threads = 2});
}

/// Leapfrog over some crossing times, 2.83 in these units.
Diagnostics after_a_run(Bodies bodies, double crossings, const Way& way) {
  constexpr float dt = 1.0F / 32.0F;
  const auto steps = static_cast<int>(crossings * 2.83 / dt);
  auto acceleration = accelerations(bodies, way);
  const auto kick = [&] {
    for (std::size_t i = 0; i < bodies.size(); ++i) bodies.velocity[i] += 0.5F * dt * acceleration[i];
  };
  for (int step = 0; step < steps; ++step) {
    kick();
    for (std::size_t i = 0; i < bodies.size(); ++i) bodies.position[i] += dt * bodies.velocity[i];
    acceleration = accelerations(bodies, way);
    kick();
  }
  return state_of(bodies);
}

/// How far a run by a tree is from one by all pairs, by the same steps.
struct Difference {
  double energy = 0.0, momentum = 0.0;
};

Difference of_run(const Bodies& bodies, const Diagnostics& direct, const Way& way) {
  const auto found = after_a_run(bodies, 1.5, way);
  const double scale = std::sqrt(2.0 * direct.kinetic * direct.mass);
  return {std::abs(found.energy() / direct.energy() - 1.0), norm(found.momentum - direct.momentum) / scale};
}

TEST(TreePhysics, EnergyAndMomentumGoAsByAllPairs) {
  const auto bodies = plummer(2000);
  const auto direct = after_a_run(bodies, 1.5, {.kernel = "simd"});
  const auto right = of_run(bodies, direct, {});
  EXPECT_LT(right.energy, 3e-4);
  EXPECT_LT(right.momentum, 1e-3);
  for (const auto change : {forget_children, keep_boxes_of_first_parts}) {
    const auto wrong = of_run(bodies, direct, {.change = change});
    EXPECT_TRUE(wrong.energy > 3e-4 || wrong.momentum > 1e-3);
  }
}

}  // namespace
}  // namespace orrery::sim
