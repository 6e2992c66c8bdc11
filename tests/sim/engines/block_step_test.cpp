#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine_cases.h"
#include "sim/galaxies/model.h"
#include "sim/physics/diagnostics/diagnostics.h"
#include "sim/physics/integrators/block_levels.h"

namespace orrery::sim {
namespace {

using checks::after;
using checks::loaded;
using checks::same_bits;

TEST(BlockLevels, AreTheShortestThatSuffice) {
  EXPECT_EQ(block_level(1.0, 2.0), 0);
  EXPECT_EQ(block_level(-1.0, 1.0), 0);
  EXPECT_EQ(block_level(1.0, 0.99), 1);
  EXPECT_EQ(block_level(1.0, 0.25), 2);
  EXPECT_EQ(block_level(1.0, INFINITY), 0);
  EXPECT_EQ(block_level(1.0, 0.0), BlockLevels::deepest);
  EXPECT_EQ(block_level(1.0, NAN), BlockLevels::deepest);
}

/// Whatever each body wants, its steps follow each other, begin at multiples of their length and end with dt.
TEST(BlockLevels, StepsOfABodyTileTheStep) {
  constexpr std::size_t bodies = 5;
  BlockLevels levels;
  levels.begin(bodies);
  std::vector<double> reached(bodies, 0.0);
  double now = 0.0;
  std::size_t times = 0, computed = 0;
  for (int k = 0; !levels.done(); ++k) {
    for (const std::size_t i : levels.active()) {
      levels.set(i, (k * 7 + static_cast<int>(i) * 3) % 5);
      EXPECT_EQ(std::fmod(now, levels.part(i)), 0.0);
      reached[i] = now + levels.part(i);
    }
    now += levels.go_on();
    ++times, computed += levels.active().size();
    EXPECT_EQ(levels.now(), now * 65536.0);
    for (std::size_t i = 0; i < bodies; ++i) {
      const bool ends = std::ranges::find(levels.active(), i) != levels.active().end();
      EXPECT_EQ(ends, reached[i] == now) << "body " << i << " at " << now;
      EXPECT_GE(reached[i], now);
    }
  }
  EXPECT_EQ(now, 1.0);
  EXPECT_EQ(levels.active().size(), bodies);
  EXPECT_GT(times, 4U);
  EXPECT_LT(computed, bodies * times);
}

class BlockStepping : public testing::Test {
 protected:
  static Configuration configured(const std::vector<std::string>& more = {}) {
    std::vector<std::string> all{"engine=cpu",      "kernel=simd",    "threads=2",
                                 "softening=0.005", "step=block:0.1", "time-step=0.03125"};
    all.insert(all.end(), more.begin(), more.end());
    return checks::configuration_of({.assignments = all});
  }
  static Bodies sphere(std::size_t bodies = 1000) { return make_galaxy("hernquist", {bodies, 3}).bodies; }
  static double drift(const Configuration& configuration, const Bodies& bodies, int steps, double& cost) {
    const auto energy = [](const Bodies& state) {
      const auto galaxies = state.galaxies();
      return diagnose(view_of(state, galaxies), {.physics = {.softening = 0.005}}).energy();
    };
    const auto engine = loaded(configuration, bodies);
    const double before = energy(bodies);
    double largest = 0.0;
    cost = 0.0;
    for (int step = 0; step < steps; ++step) {
      EXPECT_TRUE(engine->advance({}));
      cost += std::max(1.0, engine->report().number("forces_of_body"));
      if (step % 16 != 15) continue;
      auto now = bodies;
      engine->read_back(now);
      largest = std::max(largest, std::abs(energy(now) / before - 1.0));
    }
    return largest;
  }
  static std::string refusal(const std::vector<std::string>& more, std::size_t ranks = 1) {
    return refusal_of(checks::simulation_options(), configured(more), {.ranks = ranks});
  }
};

/// Where no body needs a part of the step it is that of leapfrog, bit for bit.
TEST_F(BlockStepping, OneLevelIsLeapfrog) {
  for (const char* kernel : {"kernel=simd", "kernel=tree"}) {
    const auto bodies = sphere();
    const auto block = after(*loaded(configured({kernel, "step=block:1000"}), bodies), bodies, 5);
    const auto fixed = after(*loaded(configured({kernel, "step=fixed"}), bodies), bodies, 5);
    EXPECT_TRUE(same_bits(block.position, fixed.position)) << kernel;
    EXPECT_TRUE(same_bits(block.velocity, fixed.velocity)) << kernel;
  }
}

/// With as many forces of each body the energy is kept better than by steps of one length for all.
TEST_F(BlockStepping, KeepsTheEnergyBetterThanAsManyForcesInStepsForAll) {
  const auto bodies = sphere();
  double cost = 0.0, fixed_cost = 0.0;
  const double block = drift(configured(), bodies, 64, cost);
  const double parts = std::ceil(cost / 64.0);
  auto fixed = configured({"step=fixed"});
  fixed.set("time-step", 0.03125 / parts);
  const double global = drift(fixed, bodies, static_cast<int>(64.0 * parts), fixed_cost);
  RecordProperty("forces", std::to_string(cost));
  RecordProperty("block", std::to_string(1e6 * block));
  RecordProperty("fixed", std::to_string(1e6 * global));
  EXPECT_GE(fixed_cost, cost);
  EXPECT_LT(block, 0.5 * global) << cost << " and " << fixed_cost;
  EXPECT_LT(block, 2e-3);
}

TEST_F(BlockStepping, KeepsTheEnergyWithATreeToItsError) {
  double cost = 0.0;
  const double tree = drift(configured({"kernel=tree", "opening=relative:0.003"}), sphere(), 64, cost);
  RecordProperty("tree", std::to_string(1e6 * tree));
  EXPECT_LT(tree, 5e-4);
}

TEST_F(BlockStepping, OnlyBodiesWhoseStepsEndAreComputed) {
  const auto engine = loaded(configured(), sphere());
  ASSERT_TRUE(engine->advance({}));
  const auto report = engine->report();
  EXPECT_GT(report.number("block_times"), 0.0);
  EXPECT_GT(report.number("forces_of_body"), 1.0);
  EXPECT_LT(report.number("forces_of_body"), 16.0);
}

/// The numbers that rates are computed from.
TEST_F(BlockStepping, EvaluationsCountWithWhatTheySum) {
  const auto bodies = sphere();
  for (const char* kernel : {"kernel=simd", "kernel=tree"}) {
    const auto engine = loaded(configured({kernel}), bodies);
    ASSERT_TRUE(engine->advance({}));
    EXPECT_EQ(engine->status().timings.measured_sums, engine->status().timings.sums);
    for (int step = 0; step < 3; ++step) {
      const auto before = engine->status().timings;
      ASSERT_TRUE(engine->advance({}));
      const auto report = engine->report();
      const auto timings = engine->status().timings;
      EXPECT_EQ(static_cast<double>(timings.evaluations - before.evaluations), report.number("block_times"));
      EXPECT_EQ(timings.measured - before.measured, timings.evaluations - before.evaluations);
      // Bodies in the dense middle, whose steps are short, meet more of a tree than others.
      const double of_bodies = report.number("forces_of_body");
      EXPECT_NEAR(timings.sums - before.sums, of_bodies,
                  kernel == std::string("kernel=simd") ? 1e-9 : 0.3 * of_bodies);
      EXPECT_GT(timings.summed_since(before), timings.interactions) << kernel;
      EXPECT_LT(timings.sums - before.sums, 0.7 * report.number("block_times")) << kernel;
    }
    // Of all bodies, also where the last evaluations were of some: a tree sums less.
    const double whole = interactions_per_evaluation(bodies.galaxies());
    EXPECT_LE(engine->status().timings.interactions, whole) << kernel;
    EXPECT_GT(engine->status().timings.interactions, 0.1 * whole) << kernel;
  }
}

/// Bodies of a large galaxy are pulled by more than those of a small one.
TEST_F(BlockStepping, GalaxiesCountWithTheirBodies) {
  auto bodies = make_galaxy("plummer", {.bodies = 600, .seed = 1}).bodies;
  bodies.append(make_galaxy("plummer", {.bodies = 100, .seed = 2}).bodies, 1);
  const auto engine = loaded(configured({"kernel=simd"}), bodies);
  ASSERT_TRUE(engine->advance({}));
  const auto before = engine->status().timings;
  EXPECT_EQ(before.interactions, 600.0 * 600.0 + 100.0 * 100.0);
  ASSERT_TRUE(engine->advance({}));
  const double of_bodies = engine->report().number("forces_of_body") * 700.0;
  const double summed = engine->status().timings.summed_since(before);
  EXPECT_GT(summed, 100.0 * of_bodies);
  EXPECT_LT(summed, 600.0 * of_bodies);
  // Whole numbers of bodies of each.
  const double of_large = (summed - 100.0 * of_bodies) / 500.0;
  EXPECT_NEAR(of_large, std::round(of_large), 1e-6);
}

TEST_F(BlockStepping, ThreadsChangeNoBit) {
  const auto bodies = make_galaxies("plummer", {.bodies = 700, .seed = 1}, 3).bodies;
  for (const char* kernel : {"kernel=simd", "kernel=tree", "kernel=omp-bodies", "kernel=auto"}) {
    const auto one = after(*loaded(configured({kernel, "threads=1"}), bodies), bodies, 3);
    const auto three = after(*loaded(configured({kernel, "threads=3"}), bodies), bodies, 3);
    EXPECT_TRUE(same_bits(one.position, three.position)) << kernel;
    EXPECT_TRUE(same_bits(one.velocity, three.velocity)) << kernel;
  }
}

/// Kernels sum in other orders: they agree to their error.
TEST_F(BlockStepping, KernelsAgree) {
  const auto bodies = make_galaxies("plummer", {.bodies = 400, .seed = 1}, 2).bodies;
  const auto right = after(*loaded(configured({"kernel=sequential"}), bodies), bodies, 4);
  for (const char* kernel : {"kernel=simd", "kernel=simd-double", "kernel=omp-bodies", "kernel=omp-reduction",
                             "kernel=omp-galaxies"}) {
    const auto other = after(*loaded(configured({kernel}), bodies), bodies, 4);
    EXPECT_LT(checks::largest_difference(right.position, other.position), 1e-4) << kernel;
  }
}

TEST_F(BlockStepping, GoesOnFromACheckpointWithTheSameBits) {
  const auto bodies = sphere(500);
  for (const char* state : {"state-precision=single", "state-precision=compensated"}) {
    const auto engine = loaded(configured({state}), bodies);
    after(*engine, bodies, 3);
    const auto kept = engine->save_state();
    const auto expected = after(*engine, bodies, 2);
    const auto other = loaded(configured({state}), bodies);
    EXPECT_TRUE(other->restore_state(kept));
    EXPECT_TRUE(same_bits(after(*other, bodies, 2).position, expected.position)) << state;
  }
}

TEST_F(BlockStepping, SamplesAreThoseOfTheEnd) {
  const auto engine = loaded(configured(), sphere());
  engine->observe({.forces = 100, .seed = 1});
  ASSERT_TRUE(engine->advance({}));
  const auto sample = engine->poll().forces;
  ASSERT_TRUE(sample);
  EXPECT_LT(force_error(*sample).p99, 1e-4);
}

TEST_F(BlockStepping, SaysWhatItCannot) {
  EXPECT_EQ(refusal({}), "");
  EXPECT_EQ(refusal({"kernel=tree"}), "");
  EXPECT_NE(refusal({"kernel=triu"}).find("set kernel=simd"), std::string::npos);
  EXPECT_NE(refusal({"integrator=yoshida"}).find("integrator=leapfrog"), std::string::npos);
  EXPECT_NE(refusal({"softening=0"}).find("set LENGTH"), std::string::npos);
  EXPECT_EQ(refusal({"softening=0", "step=block:0.1:0.1"}), "");
  EXPECT_NE(refusal({}, 2).find("one process"), std::string::npos);
}

TEST_F(BlockStepping, SaysWhatAGpuCannot) {
  const auto why_not = [](const std::vector<std::string>& more) {
    std::vector<std::string> all{"engine=cuda"};
    all.insert(all.end(), more.begin(), more.end());
    const auto& table = checks::simulation_options();
    return table.refusal(table.at("step"), std::string("block"), configured(all));
  };
  for (const char* family : {"tiled", "tiled-2d", "pairwise", "shuffle", "register-split", "tree", "auto"})
    EXPECT_EQ(why_not({"family=" + std::string(family)}), "") << family;
  for (const char* family : {"galaxy-block", "pairs-matrix", "pairs-atomic", "tensor", "tensor-pairs"})
    EXPECT_NE(why_not({"family=" + std::string(family)}).find("computes all bodies at once"),
              std::string::npos)
        << family;
  EXPECT_NE(why_not({"update=fused", "family=tiled"}).find("update=separate"), std::string::npos);
  EXPECT_NE(why_not({"transfers=round-trip"}).find("transfers=resident"), std::string::npos);
  EXPECT_NE(why_not({"schedule=graph"}).find("schedule=serial"), std::string::npos);
  EXPECT_NE(why_not({"devices=0,1"}).find("devices=0"), std::string::npos);
  EXPECT_NE(why_not({"integrator=yoshida"}).find("integrator=leapfrog"), std::string::npos);
}

}  // namespace
}  // namespace orrery::sim
