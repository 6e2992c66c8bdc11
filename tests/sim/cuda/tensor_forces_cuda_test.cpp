// Forces on tensor cores where their numbers have the least room: masses far apart, a body far away,
// softenings much larger or smaller than the galaxy, coincident bodies, two clumps.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "sim/core/random.h"
#include "sim/galaxies/model.h"
#include "sim/options/physics_options.h"
#include "tests/sim/engines/engine_cases.h"

namespace orrery::sim {
namespace {

struct TensorCase {
  std::string name;
  std::vector<std::string> assignments;
  double median, maximum;  ///< of relative errors
  double pulls;            ///< of every body: the error over the sum of the sizes of its pulls
};
void PrintTo(const TensorCase& each, std::ostream* out) { *out << each.name; }

std::vector<TensorCase> tensor_cases() {
  // Close pairs are differences of large numbers there: a hundredth of all pulls for the worst body.
  return {{"tensor_sum", {"family=tensor-sum"}, 1e-4, 0.05, 0.03},
          {"tensor", {"family=tensor"}, 5e-5, 0.05, checks::pull_bound},
          {"tensor_pairs", {"family=tensor-pairs"}, 5e-5, 0.05, checks::pull_bound},
          {"tensor_split_weights", {"family=tensor", "weights=split"}, 5e-6, 0.02, 4e-3},
          {"tensor_pairs_split_weights", {"family=tensor-pairs", "weights=split"}, 5e-6, 0.02, 4e-3}};
}

class TensorForces : public testing::TestWithParam<TensorCase> {
 protected:
  void SetUp() override {
    if (const auto reason = checks::why_not_here(engine_case()); !reason.empty()) GTEST_SKIP() << reason;
  }
  static checks::EngineCase engine_case() {
    auto assignments = GetParam().assignments;
    assignments.insert(assignments.begin(), "engine=cuda");
    return {.name = "", .assignments = std::move(assignments), .cuda = true};
  }
  static ForceSample forces(const Bodies& bodies, double softening) {
    auto configuration = checks::configuration_of(engine_case());
    configuration.set("softening", softening);
    return checks::all_forces(configuration, bodies);
  }
  static void expect_small(const Bodies& bodies, double softening, double allowance = 1.0) {
    const auto sample = forces(bodies, softening);
    const auto error = force_error(sample);
    EXPECT_LT(error.median, allowance * GetParam().median);
    EXPECT_LT(error.maximum, allowance * GetParam().maximum);
    EXPECT_LT(checks::largest_error_of_pulls(sample), allowance * GetParam().pulls);
  }
  /// A Plummer sphere, changed.
  static Bodies sphere(const std::function<void(Bodies&)>& change = [](Bodies&) {}) {
    auto bodies = make_galaxy("plummer", {.bodies = 5003, .seed = 3}).bodies;
    change(bodies);
    return bodies;
  }
};
INSTANTIATE_TEST_SUITE_P(Cuda, TensorForces, testing::ValuesIn(tensor_cases()),
                         [](const auto& instance) { return instance.param.name; });

TEST_P(TensorForces, OfAPlainSphere) { expect_small(sphere(), 0.05); }

// Whole tiles of 64 and 256 and what is left of them; of few bodies no median would say anything.
TEST_P(TensorForces, OfEveryBodyOfRaggedNumbers) {
  for (const std::size_t count : {2U, 3U, 15U, 17U, 63U, 65U, 255U, 257U, 1000U, 4099U, 20011U}) {
    const auto bodies = checks::ragged_bodies(count);
    EXPECT_LT(checks::largest_error_of_pulls(forces(bodies, 0.05)), GetParam().pulls) << count << " bodies";
  }
}

TEST_P(TensorForces, OfMassesAMillionApart) {
  const auto bodies = sphere([](Bodies& all) {
    Random random(9);
    for (auto& mass : all.mass) mass = static_cast<float>(std::pow(10.0, -6.0 * random.uniform()));
  });
  expect_small(bodies, 0.05, 4.0);
}

TEST_P(TensorForces, OfLightBodiesAroundAHeavyOne) {
  const auto bodies = sphere([](Bodies& all) {
    all.mass.front() = 1e6F * all.mass.back();
    all.position.front() = {0, 0, 0};
  });
  // One weight decides: rounded to half precision it is off by up to 2^-12, in TF32 by 2^-11.
  expect_small(bodies, 0.05, GetParam().median > 1e-5 ? 5.0 : 1.0);
}

// Its own term is zero, as a difference of products 1e9 times the pull of the others; away from the middle.
TEST_P(TensorForces, OfADominantBodyByTheOthers) {
  const auto bodies = sphere([](Bodies& all) {
    all.mass[1700] = 1e9F * all.mass.back();
    all.position[1700] = {2, 0, 0};
  });
  for (const double softening : {0.05, 0.2}) {
    const auto error = force_error(forces(bodies, softening));
    EXPECT_LT(error.dominant, 1e-3) << softening;
    EXPECT_LT(error.median, 1e-5) << softening << ": the dominant body's pull is computed in FP32";
  }
}

TEST_P(TensorForces, OfABodyFarAway) {
  const auto bodies = sphere([](Bodies& all) { all.position.back() = {5000, 3000, -1000}; });
  const auto sample = forces(bodies, 0.05);
  const auto expected = reference_acceleration(sample, bodies.size() - 1);
  const DVec3 mine(sample.acceleration.back());
  EXPECT_LT(norm(mine - expected), 0.02 * norm(expected));
  EXPECT_LT(force_error(sample).median, 100 * GetParam().median);
}

TEST_P(TensorForces, OfSofteningsMuchLargerAndMuchSmallerThanTheGalaxy) {
  for (const double softening : {1000.0, 30.0, 3.0}) expect_small(sphere(), softening, 20.0);
  for (const double softening : {1e-3, 1e-5}) expect_small(sphere(), softening, 4.0);
}

TEST_P(TensorForces, OfCoincidentBodies) {
  const auto bodies = sphere([](Bodies& all) {
    for (std::size_t i = 1; i < all.size(); i += 2) all.position[i] = all.position[i - 1];
  });
  expect_small(bodies, 0.02, 4.0);
}

// Their squared distance, a difference of large squares, may be below 0: no way to the weight may hide that.
TEST_P(TensorForces, OfCloseCouplesFarFromTheMiddle) {
  const auto bodies = sphere([](Bodies& all) {
    for (std::size_t i = 1; i < all.size(); i += 2) {
      all.position[i - 1] *= 1.0F + 8.0F / (1.0F + norm(all.position[i - 1]));
      all.position[i] = all.position[i - 1] + Vec3{3e-4F, -2e-4F, 1e-4F};
    }
  });
  const auto configuration = checks::configuration_of(engine_case(), {"softening=1e-5"});
  const auto error = force_error(checks::all_forces(configuration, bodies));
  // The partner's pull is by far the strongest: without it the error is 1.
  EXPECT_LT(error.maximum, 0.05);
}

TEST_P(TensorForces, OfTwoClumpsFarApart) {
  const auto bodies = sphere([](Bodies& all) {
    for (std::size_t i = 0; i < all.size(); ++i)
      all.position[i] = all.position[i] * 0.3F + (i % 3 == 0 ? Vec3{20, 5, 0} : Vec3{0, 0, 0});
  });
  expect_small(bodies, 0.05, 20.0);
}

/// Among millions of bodies a single pull is less than the last digit of the whole sum: close pairs and tiles
/// are summed in parts. Where they were not, the median was 1.1e-5.
TEST(TensorPairs, MillionsOfBodiesKeepTheirDigits) {
  const checks::EngineCase chosen{
      .name = "", .assignments = {"engine=cuda", "family=tensor-pairs"}, .cuda = true};
  if (const auto reason = checks::why_not_here(chosen); !reason.empty()) GTEST_SKIP() << reason;
  const auto scene = make_galaxy("milky-way-andromeda", {.bodies = 4'000'000, .seed = 1});
  auto configuration = checks::configuration_of(chosen);
  set_physics(configuration, scene.physics);
  const auto engine = checks::loaded(configuration, scene.bodies);
  engine->observe({.forces = 200, .seed = 1});
  engine->advance({});
  engine->finish();
  const auto error = force_error(engine->poll().forces.value());
  EXPECT_LT(error.median, 7e-6);
  EXPECT_LT(error.p99, 1e-4);
}

}  // namespace
}  // namespace orrery::sim
