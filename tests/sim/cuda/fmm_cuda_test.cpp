// Fast multipoles on a GPU: forces against double-precision sums.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sim/core/random.h"
#include "tests/sim/cuda/forces_on_gpu.h"
#include "tests/sim/engines/engine_cases.h"

namespace orrery::sim {
namespace {

struct Multipoles {
  static Settings assignments() { return {"engine=cuda", "family=fmm", "alpha=0.001"}; }
};
using FmmOnGpu = ForcesOnGpu<Multipoles>;

TEST_F(FmmOnGpu, MedianAndTailAreSmallForEveryModelAndOrder) {
  for (const char* model : {"plummer", "disk", "collision"}) {
    const auto bodies = made(model, 65'539);
    for (const char* order : {"expansion=3", "expansion=4", "expansion=5", "expansion=6"}) {
      const auto error = error_of(bodies, {order});
      EXPECT_LT(error.median, 3.5e-4) << model << ' ' << order;
      EXPECT_LT(error.p99, 5e-3) << model << ' ' << order;
      EXPECT_GT(error.median, 2e-7) << model << ' ' << order << ": no cell was taken as a whole";
    }
  }
}

TEST_F(FmmOnGpu, SmallerOpeningsGiveSmallerErrors) {
  const auto bodies = sphere(100'003);
  const auto median = [&](const Settings& more) { return error_of(bodies, more).median; };
  EXPECT_LT(median({"alpha=1e-4"}), 0.5 * median({"alpha=0.001"}));
  EXPECT_LT(median({"alpha=1e-6"}), 1e-5);
  const double coarse = median({"opening=geometric", "theta=0.7"});
  EXPECT_LT(coarse, 1.2e-3);
  EXPECT_GT(std::log2(coarse / median({"opening=geometric", "theta=0.35"})), 2.4);
}

TEST_F(FmmOnGpu, EveryBodyOfRaggedNumbers) {
  for (const std::size_t count :
       {1U, 2U, 3U, 7U, 8U, 31U, 32U, 33U, 63U, 65U, 129U, 257U, 1023U, 1025U, 4099U}) {
    const auto bodies = checks::ragged_bodies(count);
    EXPECT_LT(checks::largest_error_of_pulls(forces(bodies, {}, 0.05, count)), 1e-2) << count << " bodies";
    EXPECT_LT(checks::largest_error_of_pulls(forces(bodies, {"alpha=0"}, 0.05, count)), 2e-5)
        << count << " bodies, every pair";
  }
}

TEST_F(FmmOnGpu, EveryLeafAndLayout) {
  const auto bodies = sphere();
  for (const char* leaf : {"leaf-size=1", "leaf-size=8", "leaf-size=32", "leaf-size=100", "leaf-size=256"})
    EXPECT_LT(error_of(bodies, {leaf}).median, 3.5e-4) << leaf;
  for (const char* layout : {"aos", "aos-mass", "split", "float4", "soa"})
    EXPECT_LT(error_of(sphere(5003), {std::string("layout=") + layout}).median, 3.5e-4) << layout;
}

TEST_F(FmmOnGpu, TheSameBitsEveryRunAndForEverySchedule) {
  const auto bodies = made("disk", 150'001);
  const auto run = [&](const Settings& more) {
    const auto engine = checks::loaded(configuration(more, 0.02), bodies);
    for (int step = 0; step < 3; ++step) engine->advance({});
    engine->finish();
    auto after = bodies;
    engine->read_back(after);
    return after.position;
  };
  const auto first = run({});
  for (int k = 0; k < 3; ++k) EXPECT_TRUE(checks::same_bits(first, run({})));
  EXPECT_TRUE(checks::same_bits(first, run({"schedule=graph"})));
}

TEST_F(FmmOnGpu, SeveralGalaxiesEachForItself) {
  const auto bodies = checks::ragged_bodies(10'007, 5);
  for (const char* schedule : {"schedule=serial", "schedule=streams", "schedule=graph"})
    EXPECT_LT(checks::largest_error_of_pulls(forces(bodies, {schedule}, 0.05, 10'007)), 3e-2) << schedule;
}

TEST_F(FmmOnGpu, CoincidentBodies) {
  auto pairs = sphere();
  for (std::size_t i = 1; i < pairs.size(); i += 2) pairs.position[i] = pairs.position[i - 1];
  EXPECT_LT(error_of(pairs).median, 3.5e-4);
  EXPECT_LT(error_of(pairs, {}, 0.0).median, 3.5e-4) << "no softening";
  auto one_place = sphere(50'003);
  std::ranges::fill(one_place.position, Vec3{1, 2, 3});
  std::ranges::fill(one_place.velocity, Vec3{});
  for (const auto& a : forces(one_place).acceleration) EXPECT_EQ(norm(a), 0.0F);
  one_place.position.back() = {4, 2, 3};
  EXPECT_LT(error_of(one_place).maximum, 1e-3);
}

TEST_F(FmmOnGpu, BodiesFarOutsideDoNotSpoilTheOthers) {
  for (const float far : {1e3F, 1e6F, 1e12F, 1e30F}) {
    auto bodies = sphere();
    for (std::size_t i = 0; i < 20; ++i) bodies.position[i * 1000] *= far;
    const auto error = error_of(bodies);
    EXPECT_LT(error.median, 1e-3) << far;
    EXPECT_LT(error.p99, 2e-2) << far;
  }
}

TEST_F(FmmOnGpu, AHaloAroundACore) {
  auto bodies = sphere(100'003);
  for (std::size_t i = 0; i < bodies.size(); ++i) bodies.position[i] *= i % 500 == 0 ? 30.0F : 0.02F;
  const auto error = error_of(bodies, {}, 1e-3);
  EXPECT_LT(error.median, 5e-4);
  EXPECT_LT(error.maximum, 5e-2);
}

TEST_F(FmmOnGpu, MassesAMillionApart) {
  auto bodies = sphere();
  Random random(9);
  for (auto& mass : bodies.mass) mass = static_cast<float>(std::pow(10.0, -6.0 * random.uniform()));
  EXPECT_LT(error_of(bodies).median, 1e-3);
  bodies.mass[77] = 1e6F;
  EXPECT_LT(error_of(bodies).median, 1e-3);
  for (std::size_t i = 0; i < bodies.size(); i += 2) bodies.mass[i] = 0.0F;
  EXPECT_LT(error_of(bodies).median, 1e-3);
}

}  // namespace
}  // namespace orrery::sim
