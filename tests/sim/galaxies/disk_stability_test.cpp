#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <iostream>

#include "sim/galaxies/disk_galaxy.h"
#include "sim/galaxies/model.h"
#include "tests/sim/physics/direct_forces.h"
#include "tests/sim/physics/physics_assertions.h"

namespace orrery::sim {
namespace {

// The disk component by itself: how large, how thick about its own plane, how much of a bar.
struct Shape {
  double r10 = 0, r50 = 0, r90 = 0;
  double half_thickness = 0;  ///< median |height|
  double bar = 0;             ///< |sum exp(2 i phi)| / N between 0.5 and 2.5 scale lengths
};

Shape disk_shape(const std::vector<Vec3>& position, const std::vector<Vec3>& velocity, std::size_t disk) {
  DVec3 center, drift, spin;
  const double weight = 1.0 / static_cast<double>(disk);
  for (std::size_t i = 0; i < disk; ++i)
    center += weight * DVec3(position[i]), drift += weight * DVec3(velocity[i]);
  for (std::size_t i = 0; i < disk; ++i)
    spin += cross(DVec3(position[i]) - center, DVec3(velocity[i]) - drift);
  const DVec3 axis = spin * (1.0 / norm(spin));
  const DVec3 side = cross(axis, DVec3{1, 0, 0});
  std::vector<double> radius, height;
  double c = 0, s = 0, inner = 0;
  for (std::size_t i = 0; i < disk; ++i) {
    const DVec3 x = DVec3(position[i]) - center;
    radius.push_back(norm(x));
    height.push_back(std::abs(dot(x, axis)));
    if (radius.back() < 0.5 || radius.back() > 2.5) continue;
    const double angle = 2.0 * std::atan2(dot(x, side), dot(x, cross(side, axis)));
    c += std::cos(angle), s += std::sin(angle), inner += 1.0;
  }
  std::ranges::sort(radius);
  std::ranges::sort(height);
  return {radius[disk / 10], radius[disk / 2], radius[disk * 9 / 10], height[disk / 2],
          std::hypot(c, s) / inner};
}

// Runs `rotations` at the half-mass radius and compares the disk with its start after each.
testing::AssertionResult disk_is_stable(const Scene& scene, const std::vector<Vec3>& velocity,
                                        int rotations) {
  const std::size_t disk = scene.bodies.component_counts()[static_cast<std::size_t>(Component::disk)];
  DirectStepper stepper(*find_integrator("leapfrog"), scene.bodies.position, velocity, scene.bodies.mass,
                        static_cast<float>(scene.physics.softening));
  const Shape start = disk_shape(stepper.position(), stepper.velocity(), disk);
  const int steps = static_cast<int>(disk_rotation_period / scene.physics.time_step);
  for (int k = 1; k <= rotations; ++k) {
    stepper.advance(steps, static_cast<float>(scene.physics.time_step));
    const Shape now = disk_shape(stepper.position(), stepper.velocity(), disk);
    const auto changed = [](double a, double b, double limit) { return !(std::abs(a / b - 1.0) <= limit); };
    if (changed(now.r10, start.r10, 0.15) || changed(now.r50, start.r50, 0.12) ||
        changed(now.r90, start.r90, 0.2) || !(now.half_thickness < 0.12 * now.r50) || !(now.bar < 0.2)) {
      return testing::AssertionFailure()
             << "after " << k << " rotations: r10 " << now.r10 / start.r10 << ", r50 " << now.r50 / start.r50
             << ", r90 " << now.r90 / start.r90 << " of the start, half-thickness " << now.half_thickness
             << ", bar " << now.bar;
    }
    if (k == rotations) {
      return testing::AssertionSuccess()
             << "r10 " << now.r10 / start.r10 << ", r50 " << now.r50 / start.r50 << ", r90 "
             << now.r90 / start.r90 << " of the start, half-thickness " << start.half_thickness << " -> "
             << now.half_thickness << ", bar " << now.bar;
    }
  }
  return testing::AssertionFailure() << "no rotations";
}

TEST(DiskStability, TenRotations) {
  const Scene scene = make_galaxy("steady-disk", {3000, 1});
  const auto result = disk_is_stable(scene, scene.bodies.velocity, 10);
  EXPECT_TRUE(result);
  std::cout << result.message() << '\n';
}

TEST(DiskStability, ADiskThatTurnsTooSlowlyIsCaught) {
  const Scene scene = make_galaxy("steady-disk", {1500, 1});
  std::vector<Vec3> slow = scene.bodies.velocity;
  for (Vec3& v : slow) v *= 0.8F;
  EXPECT_FALSE(disk_is_stable(scene, slow, 2));
}

TEST(DiskStability, ADiskThatPuffsUpIsCaught) {
  const Scene scene = make_galaxy("steady-disk", {1500, 1});
  std::vector<Vec3> hot = scene.bodies.velocity;
  for (Vec3& v : hot) v.z *= 4.0F;
  EXPECT_FALSE(disk_is_stable(scene, hot, 2));
}

// How strongly the disk deviates from round: the Fourier amplitudes m = 2, 3, 4 of rings between 0.75
// and 3.75 scale lengths, the strongest of each ring, averaged. Noise alone gives about 1.2 / sqrt(bodies of
// a ring).
double arms_of(const std::vector<Vec3>& position, std::size_t disk) {
  constexpr int rings = 6, orders = 3;
  std::array<std::array<std::complex<double>, orders>, rings> sums{};
  std::array<double, rings> counts{};
  for (std::size_t i = 0; i < disk; ++i) {
    const double r = std::hypot(position[i].x, position[i].y);
    const int ring = static_cast<int>(std::floor((r - 0.75) / 0.5));
    if (ring < 0 || ring >= rings) continue;
    counts.at(ring) += 1.0;
    for (int m = 0; m < orders; ++m)
      sums.at(ring).at(m) +=
          std::polar(1.0, (m + 2) * std::atan2(double{position[i].y}, double{position[i].x}));
  }
  double mean = 0.0;
  for (int ring = 0; ring < rings; ++ring) {
    double strongest = 0.0;
    for (const auto& sum : sums.at(ring)) strongest = std::max(strongest, std::abs(sum));
    mean += strongest / counts.at(ring) / rings;
  }
  return mean;
}

// The strongest arms in two rotations.
double arms_made_by(const char* model) {
  const Scene scene = make_galaxy(model, {6000, 1});
  const std::size_t disk = scene.bodies.component_counts()[static_cast<std::size_t>(Component::disk)];
  DirectStepper stepper(*find_integrator("leapfrog"), scene.bodies.position, scene.bodies.velocity,
                        scene.bodies.mass, static_cast<float>(scene.physics.softening));
  constexpr float step = 0.04F;
  double strongest = 0.0;
  for (int k = 0; k < 8; ++k) {
    stepper.advance(static_cast<int>(disk_rotation_period / step / 4.0), step);
    strongest = std::max(strongest, arms_of(stepper.position(), disk));
  }
  return strongest;
}

TEST(SpiralArms, AColdDiskMakesThemWithinTwoRotations) {
  const double cold = arms_made_by("disk"), warm = arms_made_by("steady-disk");
  std::cout << "arms of disk " << cold << ", of steady-disk " << warm << '\n';
  EXPECT_GT(cold, 0.22);
  EXPECT_LT(warm, 0.2);
}

}  // namespace
}  // namespace orrery::sim
