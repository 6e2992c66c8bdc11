#include "sim/physics/diagnostics/diagnostics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <span>

#include "sim/core/error.h"
#include "sim/core/random.h"
#include "sim/galaxies/model.h"

namespace orrery::sim {
namespace {

Bodies random_bodies(std::size_t count, std::uint32_t galaxies, std::uint64_t seed) {
  Random random(seed);
  Bodies bodies;
  bodies.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    bodies.position[i] = Vec3(random.uniform() * 3.0 * random.direction());
    bodies.velocity[i] = Vec3(random.uniform() * random.direction());
    bodies.mass[i] = static_cast<float>(random.uniform(0.1, 2.0));
    bodies.galaxy[i] = static_cast<std::uint32_t>(i * galaxies / count);
  }
  return bodies;
}

Diagnostics diagnose_bodies(const Bodies& bodies, const DiagnosticsRequest& request = {}) {
  const auto galaxies = bodies.galaxies();
  return diagnose(view_of(bodies, galaxies), request);
}

DiagnosticsRequest with(double g, double softening) {
  DiagnosticsRequest request;
  request.physics.gravitational_constant = g;
  request.physics.softening = softening;
  return request;
}

double brute_force_potential(const Bodies& bodies, double g, double softening) {
  double sum = 0.0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    for (std::size_t j = 0; j < bodies.size(); ++j) {
      if (i == j || bodies.galaxy[i] != bodies.galaxy[j] || bodies.mass[i] * bodies.mass[j] == 0.0F) continue;
      const double r = norm(DVec3(bodies.position[i]) - DVec3(bodies.position[j]));
      sum -= 0.5 * g * bodies.mass[i] * bodies.mass[j] / std::sqrt(r * r + softening * softening);
    }
  }
  return sum;
}

TEST(Diagnostics, TwoBodiesByHand) {
  Bodies bodies;
  bodies.resize(2);
  bodies.position = {{-2, 0, 0}, {2, 0, 0}};
  bodies.velocity = {{0, 1, 0}, {0, -3, 2}};
  bodies.mass = {3, 1};
  const Diagnostics d = diagnose_bodies(bodies, with(2.0, 3.0));
  EXPECT_DOUBLE_EQ(d.mass, 4.0);
  EXPECT_DOUBLE_EQ(d.kinetic, 0.5 * 3 * 1 + 0.5 * 1 * 13);
  EXPECT_DOUBLE_EQ(d.potential, -2.0 * 3 * 1 / 5.0);
  EXPECT_DOUBLE_EQ(d.energy(), 8.0 - 1.2);
  EXPECT_DOUBLE_EQ(d.kinetic_of_galaxies, 0.5 * 2 * 2 / 4);
  EXPECT_DOUBLE_EQ(d.virial_ratio(), 7.5 / 1.2);
  EXPECT_EQ(d.momentum, (DVec3{0, 0, 2}));
  EXPECT_EQ(d.angular_momentum, (DVec3{0, -4, -6 - 6}));
  EXPECT_EQ(d.center_of_mass, (DVec3{-1, 0, 0}));
  EXPECT_DOUBLE_EQ(d.r10, 0.0);
  EXPECT_DOUBLE_EQ(d.r50, 0.0);
  EXPECT_DOUBLE_EQ(d.r90, 4.0);
  EXPECT_DOUBLE_EQ(d.half_mass_radius, 0.0);
  EXPECT_EQ(d.potential_sample, 0U);
}

TEST(Diagnostics, PotentialIsTheBruteForceSumOverEachGalaxy) {
  for (const std::uint32_t galaxies : {1U, 3U}) {
    for (const double softening : {0.0, 0.2}) {
      const Bodies bodies = random_bodies(1501, galaxies, 5);
      const double expected = brute_force_potential(bodies, 1.5, softening);
      const double found = diagnose_bodies(bodies, with(1.5, softening)).potential;
      EXPECT_NEAR(found, expected, 1e-11 * std::abs(expected))
          << galaxies << " galaxies, softening " << softening;
    }
  }
}

TEST(Diagnostics, ResultDoesNotDependOnTheThreads) {
  const Bodies bodies = random_bodies(3001, 2, 6);
  for (const std::size_t exact_limit : {10'000, 100}) {
    DiagnosticsRequest request = with(1.0, 0.1);
    request.exact_limit = exact_limit;
    request.above_limit = PotentialMethod::sample;
    request.sample = 400;
    const Diagnostics one = diagnose_bodies(bodies, request);
    for (const int threads : {2, 3}) {
      request.threads = threads;
      const Diagnostics many = diagnose_bodies(bodies, request);
      EXPECT_EQ(one.potential, many.potential);
      EXPECT_EQ(one.potential_uncertainty, many.potential_uncertainty);
    }
  }
}

TEST(Diagnostics, MasslessBodiesCountInNoSum) {
  EXPECT_EQ(diagnose_bodies({}).energy(), 0.0);
  EXPECT_EQ(diagnose_bodies({}).r50, 0.0);
  Bodies bodies = random_bodies(50, 1, 7);
  const Diagnostics before = diagnose_bodies(bodies);
  bodies.resize(60);
  for (std::size_t i = 50; i < 60; ++i) bodies.velocity[i] = bodies.position[i] = {99, 99, 99};
  const Diagnostics after = diagnose_bodies(bodies);
  EXPECT_EQ(before.kinetic, after.kinetic);
  EXPECT_EQ(before.potential, after.potential);
  EXPECT_EQ(before.angular_momentum, after.angular_momentum);
  EXPECT_EQ(before.r90, after.r90);
}

/// Not even with a factor of 0: a million tracers of one body would make 1e12 pairs. A place that is no
/// number shows.
TEST(Diagnostics, MasslessBodiesMakeNoPairs) {
  auto bodies = random_bodies(50, 1, 7);
  const double potential = diagnose_bodies(bodies).potential;
  bodies.resize(51);
  bodies.position[50] = {std::nanf(""), 0.0F, 0.0F};
  EXPECT_EQ(diagnose_bodies(bodies).potential, potential);
}

TEST(Diagnostics, CoincidentBodiesAreLeftOutOfTheUnsoftenedPotential) {
  Bodies bodies = random_bodies(50, 1, 7);
  bodies.position[1] = bodies.position[0];
  Bodies merged = bodies;  // the pair as one body: the same but for the energy between the two
  merged.mass[0] += merged.mass[1];
  merged.mass[1] = 0.0F;
  const double expected = brute_force_potential(merged, 1.0, 0.0);
  EXPECT_NEAR(diagnose_bodies(bodies).potential, expected, 1e-6 * std::abs(expected));
}

TEST(Diagnostics, NonFiniteBodiesDoNotCrash) {
  Bodies bodies = random_bodies(500, 1, 8);
  bodies.position[3].x = std::numeric_limits<float>::quiet_NaN();
  bodies.position[4].y = std::numeric_limits<float>::infinity();
  DiagnosticsRequest request;
  request.exact_limit = 100;
  request.sample = 50;
  EXPECT_FALSE(std::isfinite(diagnose_bodies(bodies, request).center_of_mass.x));
}

TEST(Diagnostics, LagrangeRadiiArePooledOverGalaxies) {
  const Bodies one = random_bodies(400, 1, 9);
  Bodies two = one;
  two.append(one, 1);
  for (std::size_t i = 400; i < 800; ++i) two.position[i] += Vec3{64, 0, 0};
  const Diagnostics a = diagnose_bodies(one), b = diagnose_bodies(two);
  EXPECT_NEAR(a.r10, b.r10, 1e-5);
  EXPECT_NEAR(a.r50, b.r50, 1e-5);
  EXPECT_NEAR(a.r90, b.r90, 1e-5);
  EXPECT_NEAR(2.0 * a.potential, b.potential, 1e-5 * std::abs(b.potential));
}

TEST(Diagnostics, AnInterruptCancels) {
  std::atomic<bool> interrupt{true};
  for (const std::size_t exact_limit : {10'000, 10}) {
    DiagnosticsRequest request;
    request.interrupt = &interrupt;
    request.exact_limit = exact_limit;
    request.sample = 20;
    EXPECT_THROW(diagnose_bodies(random_bodies(100, 1, 1), request), Cancelled);
  }
}

// The estimate against the exact sum over many seeds: z-scores of a right standard error have rms 1.
struct SampledFit {
  double z_rms = 0.0;
  double relative_uncertainty = 0.0;
};
SampledFit fit_of_sampled(const Bodies& bodies, double softening, std::size_t ranked = 1U << 21U) {
  constexpr int seeds = 24;
  DiagnosticsRequest request = with(1.0, softening);
  const double exact = diagnose_bodies(bodies, request).potential;
  request.exact_limit = 0;
  request.above_limit = PotentialMethod::sample;
  request.sample = 500;
  request.ranked = ranked;
  SampledFit fit;
  for (int seed = 1; seed <= seeds; ++seed) {
    request.seed = static_cast<std::uint64_t>(seed);
    const Diagnostics sampled = diagnose_bodies(bodies, request);
    EXPECT_EQ(sampled.potential_sample, 500U);
    const double z = (sampled.potential - exact) / sampled.potential_uncertainty;
    fit.z_rms += z * z / seeds;
    fit.relative_uncertainty = std::max(fit.relative_uncertainty, sampled.potential_uncertainty / -exact);
  }
  fit.z_rms = std::sqrt(fit.z_rms);
  return fit;
}

TEST(Diagnostics, SampledPotentialIsWithinItsUncertainty) {
  const Scene plummer = make_galaxy("plummer", {20000, 4});
  const SampledFit sphere = fit_of_sampled(plummer.bodies, plummer.physics.softening);
  EXPECT_NEAR(sphere.z_rms, 1.0, 0.35);
  EXPECT_LT(sphere.relative_uncertainty, 1e-3);
  const Scene disk = make_galaxy("disk", {10000, 4});
  const SampledFit flat = fit_of_sampled(disk.bodies, disk.physics.softening);
  EXPECT_NEAR(flat.z_rms, 1.0, 0.35);
  EXPECT_LT(flat.relative_uncertainty, 5e-3);
  const SampledFit many = fit_of_sampled(random_bodies(6000, 40, 3), 0.1);
  EXPECT_NEAR(many.z_rms, 1.0, 0.35);
}

// The ranked bodies say less of the others than a ranking of all, and the uncertainty holds that.
TEST(Diagnostics, SomeRankedBodiesStandForAll) {
  Scene disk = make_galaxy("disk", {10000, 4});
  disk.bodies.mass[17] = 5.0F;
  const SampledFit all = fit_of_sampled(disk.bodies, disk.physics.softening);
  const SampledFit some = fit_of_sampled(disk.bodies, disk.physics.softening, 700);
  EXPECT_NEAR(some.z_rms, 1.0, 0.35);
  EXPECT_GT(some.relative_uncertainty, 1.2 * all.relative_uncertainty);
  EXPECT_LT(some.relative_uncertainty, 2e-2);
}

// One body with most of the mass, drawn or not, would decide the estimate.
TEST(Diagnostics, HeavyBodiesAreAlwaysSummed) {
  Scene hole = make_galaxy("plummer", {6000, 4});
  hole.bodies.mass[17] = 5.0F;
  hole.bodies.mass[4000] = 0.5F;
  const SampledFit one = fit_of_sampled(hole.bodies, hole.physics.softening);
  EXPECT_NEAR(one.z_rms, 1.0, 0.35);
  EXPECT_LT(one.relative_uncertainty, 1e-3);
  Bodies two = hole.bodies;
  two.append(hole.bodies, 1);
  EXPECT_NEAR(fit_of_sampled(two, hole.physics.softening).z_rms, 1.0, 0.35);
  Bodies only_heavy = random_bodies(8, 2, 5);
  DiagnosticsRequest request = with(1.0, 0.1);
  const double exact = diagnose_bodies(only_heavy, request).potential;
  only_heavy.append(random_bodies(600, 2, 6));
  std::ranges::fill(std::span(only_heavy.mass).subspan(8), 1e-20F);
  std::ranges::sort(only_heavy.galaxy);
  request.exact_limit = 0;
  request.above_limit = PotentialMethod::sample;
  request.sample = 100;
  const double all = diagnose_bodies(only_heavy, with(1.0, 0.1)).potential;
  EXPECT_NEAR(diagnose_bodies(only_heavy, request).potential, all, 1e-12 * std::abs(exact));
}

TEST(Diagnostics, AnEscaperDoesNotMoveTheRadii) {
  Scene plummer = make_galaxy("plummer", {1000, 1});
  const Diagnostics before = diagnose_bodies(plummer.bodies);
  plummer.bodies.position[3] = {1e4F, 0, 0};
  const Diagnostics after = diagnose_bodies(plummer.bodies);
  EXPECT_NEAR(after.r50, before.r50, 0.02 * before.r50);
  EXPECT_NEAR(after.half_mass_radius, before.half_mass_radius, 0.02 * before.r50);
  EXPECT_GT(after.center_of_mass.x, 9.0) << "the mean goes with it";
}

TEST(Diagnostics, RadiiAreAboutTheMedianByMass) {
  Bodies bodies;
  bodies.resize(4);
  bodies.position = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {10, 0, 0}};
  bodies.mass = {1, 1, 3, 1};
  EXPECT_DOUBLE_EQ(diagnose_bodies(bodies).r90, 8.0) << "the centre is the heavy one";
  bodies.mass = {1, 1, 1, 1};
  EXPECT_DOUBLE_EQ(diagnose_bodies(bodies).r90, 8.5) << "half on each side: the middle of the gap";
}

TEST(Diagnostics, ASampleOfAllBodiesIsExact) {
  const Bodies bodies = random_bodies(300, 1, 2);
  DiagnosticsRequest request;
  const double exact = diagnose_bodies(bodies, request).potential;
  request.exact_limit = 0;
  const Diagnostics all = diagnose_bodies(bodies, request);
  EXPECT_EQ(all.potential, exact);
  EXPECT_EQ(all.potential_uncertainty, 0.0);
  request.sample = 1;
  EXPECT_LT(diagnose_bodies(bodies, request).potential, 0.0);
}

}  // namespace
}  // namespace orrery::sim
