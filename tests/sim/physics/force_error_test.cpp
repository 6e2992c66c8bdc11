#include "sim/physics/diagnostics/force_error.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>

#include "sim/core/error.h"
#include "sim/galaxies/model.h"
#include "sim/physics/diagnostics/reference_forces.h"
#include "sim/simulation/monitor.h"

namespace orrery::sim {
namespace {

// A sample whose accelerations are the reference, scaled by 1 + relative.
ForceSample perfect_sample(std::size_t bodies, std::size_t count, double relative) {
  const Scene scene = make_galaxy("plummer", {bodies, 1});
  ForceSample sample;
  sample.position = scene.bodies.position;
  sample.mass = scene.bodies.mass;
  sample.galaxies = scene.bodies.galaxies();
  sample.physics.gravitational_constant = 2.0;
  sample.physics.softening = scene.physics.softening;
  sample.index = sample_indices(bodies, count, 3);
  for (const std::size_t i : sample.index) {
    sample.acceleration.push_back(Vec3((1.0 + relative) * reference_acceleration(sample, i)));
  }
  return sample;
}

TEST(ForceError, OfTheReferenceItselfIsSinglePrecision) {
  const ForceError error = force_error(perfect_sample(2000, 256, 0.0));
  EXPECT_EQ(error.sample, 256U);
  EXPECT_GT(error.median, 0.0);
  EXPECT_LT(error.maximum, 1.2e-7);
}

TEST(ForceError, IsTheSameForAnyNumberOfThreads) {
  auto sample = perfect_sample(150'000, 150, 0.0);
  sample.galaxies = {{0, 70'001}, {70'001, 150'000}};
  const auto alone = reference_accelerations(sample.state(), sample.galaxies, sample.physics, sample.index);
  const auto together =
      reference_accelerations(sample.state(), sample.galaxies, sample.physics, sample.index, 5);
  EXPECT_TRUE(alone == together);
  for (std::size_t k = 0; k < alone.size(); ++k) {
    const auto plain = reference_acceleration(sample, sample.index[k]);
    EXPECT_LT(norm(alone[k] - plain), 1e-12 * norm(plain)) << sample.index[k];
  }
}

TEST(ForceError, IsTheKnownPerturbation) {
  const ForceError error = force_error(perfect_sample(2000, 256, 1e-3));
  EXPECT_NEAR(error.median, 1e-3, 2e-7);
  EXPECT_NEAR(error.p99, 1e-3, 2e-7);
  EXPECT_NEAR(error.maximum, 1e-3, 2e-7);
}

TEST(ForceError, PerpendicularErrorsCountToo) {
  ForceSample sample = perfect_sample(500, 100, 0.0);
  for (Vec3& a : sample.acceleration) {
    const Vec3 side = cross(a, Vec3{0.3F, 0.5F, 0.7F});
    a += side * (0.01F * norm(a) / norm(side));
  }
  EXPECT_NEAR(force_error(sample).median, 0.01, 1e-6);
}

TEST(ForceError, QuantilesTellOneOutlierFromABias) {
  ForceSample sample = perfect_sample(1000, 200, 0.0);
  sample.acceleration[17] *= 1.5F;
  ForceError error = force_error(sample);
  EXPECT_LT(error.p99, 2e-7);
  EXPECT_NEAR(error.maximum, 0.5, 1e-6);
  for (std::size_t k = 0; k < 3; ++k) sample.acceleration[k] *= 1.25F;
  error = force_error(sample);
  EXPECT_LT(error.median, 2e-7);
  EXPECT_NEAR(error.p99, 0.25, 1e-6);
}

TEST(ForceError, NonFiniteIsInfinite) {
  ForceSample sample = perfect_sample(100, 10, 0.0);
  sample.acceleration[2].y = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(force_error(sample).maximum, std::numeric_limits<double>::infinity());
}

TEST(ForceError, LoneAndCoincidentBodies) {
  ForceSample sample;
  sample.position = {{1, 2, 3}};
  sample.mass = {1};
  sample.galaxies = {{0, 1}};
  sample.index = {0};
  sample.acceleration = {{0, 0, 0}};
  EXPECT_EQ(force_error(sample).maximum, 0.0);
  sample.acceleration = {{0, 1e-20F, 0}};
  EXPECT_EQ(force_error(sample).maximum, std::numeric_limits<double>::infinity());
  sample.position.push_back({1, 2, 3});
  sample.mass.push_back(1);
  sample.galaxies = {{0, 2}};
  EXPECT_EQ(reference_acceleration(sample, 0), DVec3{});
}

TEST(ForceError, ReferenceIsTheFormulaAndStaysInTheGalaxy) {
  ForceSample sample;
  sample.position = {{0, 0, 0}, {3, 0, 0}, {0, 9, 0}};
  sample.mass = {1, 5, 1000};
  sample.galaxies = {{0, 2}, {2, 3}};
  sample.physics.gravitational_constant = 10.0;
  sample.physics.softening = 4.0;
  EXPECT_DOUBLE_EQ(reference_acceleration(sample, 0).x, 10.0 * 5 * 3 / 125.0);
  EXPECT_EQ(reference_acceleration(sample, 0).y, 0.0);
  EXPECT_EQ(reference_acceleration(sample, 2), DVec3{});
  sample.galaxies = {{0, 2}};
  EXPECT_THROW(reference_acceleration(sample, 2), Error);
}

/// One body of mass 1 beside the others' 1e-9.
ForceSample dominated_sample() {
  ForceSample sample = perfect_sample(2000, 256, 0.0);
  sample.mass.assign(2000, 1e-9F);
  sample.mass[777] = 1.0F;
  sample.position[777] = {3.0F, 0.0F, 0.0F};
  sample.index = sampled_bodies(sample, 2000, 256, 3);
  sample.acceleration.clear();
  for (const std::size_t i : sample.index)
    sample.acceleration.push_back(Vec3(reference_acceleration(sample, i)));
  return sample;
}

TEST(ForceError, OfADominantBodyIsSaidApart) {
  const auto error = force_error(dominated_sample());
  EXPECT_NEAR(error.mass_ratio, 1e9, 100.0);
  EXPECT_LT(error.dominant, 2e-7);
  EXPECT_LT(error.without_dominant, 0.1) << "the rounding of floats, of a part that is 2e-6 of the whole";
  EXPECT_EQ(force_error(perfect_sample(2000, 256, 0.0)).mass_ratio, 0.0);
}

TEST(ForceError, ShowsThatOnlyTheDominantBodyWasSummed) {
  ForceSample sample = dominated_sample();
  for (std::size_t k = 0; k < sample.index.size(); ++k) {
    const auto i = sample.index[k];
    sample.acceleration[k] =
        Vec3(sample.physics.law->acceleration(sample.state(), sample.physics.constants(), i, {777, 778}));
  }
  const auto error = force_error(sample);
  EXPECT_LT(error.p99, 1e-4);
  EXPECT_GT(error.dominant, 0.9);
  EXPECT_NEAR(error.without_dominant, 1.0, 0.1);
}

TEST(ForceError, ADominantBodyInTheMiddleMayHaveNoForce) {
  ForceSample sample = dominated_sample();
  // Pairs on opposite sides: what is left is rounding, which says nothing.
  for (std::size_t i = 0; i < 2000; i += 2) sample.position[i + 1] = -1.0F * sample.position[i];
  sample.position[777] = sample.position[776] = {};
  for (std::size_t k = 0; k < sample.index.size(); ++k)
    sample.acceleration[k] = Vec3(reference_acceleration(sample, sample.index[k])) + Vec3{1e-12F, 0, 0};
  EXPECT_LT(force_error(sample).dominant, 1e-3);
}

TEST(SampledBodies, HaveTheHeaviestAndAreAsManyAsAsked) {
  ForceSample sample;
  sample.mass.assign(5000, 1.0F);
  for (const std::size_t i : {10U, 2500U, 4999U}) sample.mass[i] = 1000.0F;
  for (std::uint64_t seed = 1; seed < 20; ++seed) {
    const auto index = sampled_bodies(sample, 5000, 100, seed);
    EXPECT_EQ(index.size(), 100U);
    EXPECT_EQ(std::set<std::size_t>(index.begin(), index.end()).size(), 100U);
    EXPECT_TRUE(std::ranges::is_sorted(index));
    for (const std::size_t i : {10U, 2500U, 4999U}) EXPECT_TRUE(std::ranges::binary_search(index, i));
  }
  EXPECT_EQ(sampled_bodies(sample, 5000, 2, 1).size(), 2U);
  EXPECT_EQ(sampled_bodies(sample, 5000, 6000, 1).size(), 5000U);
  sample.mass.assign(5000, 1.0F);
  EXPECT_EQ(sampled_bodies(sample, 5000, 100, 7), sample_indices(5000, 100, 7)) << "nobody is heavy";
}

/// Bodies on straight lines, which made one step.
StepPair straight_step(double share) {
  StepPair pair{.time_step = 0.125};
  for (int k = 1; k <= 9; ++k) {
    const auto f = static_cast<float>(k);
    pair.position_before.push_back({f, -f, 2.0F});
    pair.velocity_before.push_back({1.0F, f, 0.0F});
    pair.velocity_after.push_back({1.0F, f, 0.0F});
    pair.position_after.push_back(pair.position_before.back() +
                                  static_cast<float>(share * pair.time_step) * pair.velocity_before.back());
  }
  return pair;
}

TEST(MotionError, IsThePartOfTheWayThatIsMissing) {
  EXPECT_LT(motion_error(straight_step(1.0)), 1e-6);
  EXPECT_NEAR(motion_error(straight_step(0.5)), 0.5, 1e-5);
  EXPECT_NEAR(motion_error(straight_step(0.0)), 1.0, 1e-5);
  EXPECT_EQ(motion_error({}), 0.0);
}

TEST(MotionError, IsNotTheRoundingOfPositionsFarAway) {
  auto pair = straight_step(1.0);
  for (std::size_t i = 0; i < pair.position_before.size(); ++i) {
    pair.position_before[i] += Vec3{1e7F, 0, 0};
    pair.position_after[i] += Vec3{1e7F, 0, 0};
  }
  EXPECT_LT(motion_error(pair), 0.1);
}

TEST(MotionError, OfNoNumberIsInfinite) {
  auto pair = straight_step(1.0);
  for (auto& x : pair.position_after) x.y = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(motion_error(pair), std::numeric_limits<double>::infinity());
}

TEST(ForceError, EmptySample) { EXPECT_EQ(force_error({}).sample, 0U); }

TEST(SampleIndices, AreDifferentAscendingAndSeeded) {
  const auto indices = sample_indices(1000, 100, 7);
  EXPECT_EQ(indices.size(), 100U);
  EXPECT_TRUE(std::ranges::is_sorted(indices));
  EXPECT_EQ(std::set<std::size_t>(indices.begin(), indices.end()).size(), 100U);
  EXPECT_LT(indices.back(), 1000U);
  EXPECT_EQ(indices, sample_indices(1000, 100, 7));
  EXPECT_NE(indices, sample_indices(1000, 100, 8));
  EXPECT_EQ(sample_indices(3, 10, 1), (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_TRUE(sample_indices(0, 10, 1).empty());
}

TEST(SampleIndices, AreUniform) {
  std::vector<int> hits(20, 0);
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    for (const std::size_t i : sample_indices(20, 5, seed)) ++hits[i];
  }
  for (const int each : hits) EXPECT_NEAR(each, 1000, 140);  // five standard deviations
}

}  // namespace
}  // namespace orrery::sim
