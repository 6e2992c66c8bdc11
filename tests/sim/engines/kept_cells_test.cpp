// Trees whose order and cells serve several steps (rebuild), on the processor.
#include <gtest/gtest.h>

#include "engine_cases.h"
#include "sim/galaxies/model.h"
#include "sim/options/tree_options.h"
#include "sim/physics/force_error.h"

namespace orrery::sim {
namespace {

using checks::after;
using checks::loaded;
using checks::same_bits;

Configuration configured(const std::vector<std::string>& more = {}) {
  std::vector<std::string> all{"engine=cpu",     "kernel=tree",    "threads=2",
                               "softening=0.02", "time-step=0.01", "rebuild=4"};
  all.insert(all.end(), more.begin(), more.end());
  return checks::configuration_of({.assignments = all});
}

/// Two galaxies of different sizes.
Bodies spheres() {
  auto bodies = make_galaxy("plummer", {.bodies = 3001, .seed = 1}).bodies;
  bodies.append(make_galaxy("hernquist", {.bodies = 701, .seed = 2}).bodies, 1);
  return bodies;
}

Bodies run(const std::vector<std::string>& more, int steps) {
  const auto bodies = spheres();
  return after(*loaded(configured(more), bodies), bodies, steps);
}

/// Of all bodies, after so many steps.
ForceError error_after(const std::vector<std::string>& more, int steps) {
  const auto bodies = spheres();
  const auto engine = loaded(configured(more), bodies);
  after(*engine, bodies, steps - 1);
  engine->observe({.forces = bodies.size(), .seed = 1});
  after(*engine, bodies, 1);
  return force_error(engine->collect().forces.value());
}

TEST(KeptCells, UsuallyServeOneStepAndSeveralBlockTimes) {
  EXPECT_EQ(tree_settings(configured({"rebuild=0"})).rebuild, 1U);
  EXPECT_EQ(tree_settings(configured({"rebuild=0", "step=block"})).rebuild, 16U);
  EXPECT_EQ(tree_settings(configured()).rebuild, 4U);
}

/// The first five steps have new cells after four of them, the eighth one has those of three steps ago.
TEST(KeptCells, TheErrorStaysWhileBodiesMove) {
  const auto fresh = error_after({"rebuild=1"}, 8), kept = error_after({}, 8);
  EXPECT_LT(kept.median, 1.1 * fresh.median);
  EXPECT_LT(kept.p99, 1.3 * fresh.p99);
  EXPECT_NE(kept.median, fresh.median) << "cells were not kept";
  // In which nothing is near its neighbours of once.
  EXPECT_LT(error_after({"rebuild=64", "time-step=0.05"}, 40).median, 2.0 * fresh.median);
}

TEST(KeptCells, OthersThanThoseOfTheMomentMoveBodiesToTheirError) {
  const auto fresh = run({"rebuild=1"}, 7), kept = run({}, 7);
  EXPECT_LT(checks::largest_difference(fresh.position, kept.position), 1e-4);
  EXPECT_FALSE(same_bits(fresh.position, kept.position));
}

TEST(KeptCells, TheSameRunHasTheSameBits) {
  const auto first = run({}, 7);
  EXPECT_TRUE(same_bits(first.position, run({}, 7).position));
  EXPECT_TRUE(same_bits(first.position, run({"threads=1"}, 7).position));
  EXPECT_TRUE(same_bits(first.position, run({"threads=3"}, 7).position));
}

/// Where new cells are due anyway a run goes on with the same bits, and elsewhere to the error of the forces.
TEST(KeptCells, GoOnFromACheckpoint) {
  const auto bodies = spheres();
  for (const int step : {4, 6}) {
    const auto engine = loaded(configured(), bodies);
    after(*engine, bodies, step);
    const auto saved = engine->save_state();
    const auto expected = after(*engine, bodies, 3);
    const auto other = loaded(configured(), bodies);
    EXPECT_TRUE(other->restore_state(saved));
    const auto found = after(*other, bodies, 3);
    EXPECT_EQ(same_bits(found.position, expected.position), step % 4 == 0) << step;
    EXPECT_LT(checks::largest_difference(found.position, expected.position), 1e-5) << step;
  }
}

/// What is kept is of the present bodies and settings: a change makes cells anew at once.
TEST(KeptCells, OtherSettingsAndBodiesMakeNewOnes) {
  const auto bodies = spheres();
  const auto engine = loaded(configured(), bodies), other = loaded(configured({"leaf-size=8"}), bodies);
  after(*engine, bodies, 2);
  ASSERT_TRUE(other->restore_state(engine->save_state()));
  engine->configure(configured({"leaf-size=8"}));
  EXPECT_TRUE(same_bits(after(*engine, bodies, 1).position, after(*other, bodies, 1).position));
  const auto mirrored = [&] {
    auto result = bodies;
    for (auto& x : result.position) x = {-x.z, x.x, x.y};
    return result;
  }();
  engine->load(mirrored, 0.0);
  EXPECT_TRUE(same_bits(after(*engine, mirrored, 3).position,
                        after(*loaded(configured({"leaf-size=8"}), mirrored), mirrored, 3).position));
}

/// Trees that took turns in one place are not kept: galaxies of one size would get each other's.
TEST(KeptCells, BeginWithNewOnesWhereNoneWereKept) {
  const auto bodies = make_galaxies("plummer", {.bodies = 1001, .seed = 1}, 2).bodies;
  const auto engine = loaded(configured({"rebuild=1"}), bodies), other = loaded(configured(), bodies);
  after(*engine, bodies, 2);
  ASSERT_TRUE(other->restore_state(engine->save_state()));
  engine->configure(configured());
  EXPECT_TRUE(same_bits(after(*engine, bodies, 1).position, after(*other, bodies, 1).position));
}

/// With individual steps block times count. In the sparse galaxy nobody's step ends at most of them.
TEST(KeptCells, ServeSeveralBlockTimes) {
  auto bodies = make_galaxy("hernquist", {.bodies = 1500, .seed = 3}).bodies;
  auto sparse = make_galaxy("plummer", {.bodies = 300, .seed = 4}).bodies;
  for (auto& x : sparse.position) x *= 30.0F;
  for (auto& v : sparse.velocity) v *= 0.1F;
  bodies.append(sparse, 1);
  const auto positions = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all{"softening=0.005", "time-step=0.03125", "step=block", "step-accuracy=0.1"};
    all.insert(all.end(), more.begin(), more.end());
    return after(*loaded(configured(all), bodies), bodies, 3).position;
  };
  const auto fresh = positions({"rebuild=1"}), kept = positions({"rebuild=0"});
  EXPECT_LT(checks::largest_difference(fresh, kept), 1e-3);
  EXPECT_FALSE(same_bits(fresh, kept)) << "cells were not kept";
  EXPECT_TRUE(same_bits(kept, positions({"rebuild=16"})));
  EXPECT_TRUE(same_bits(kept, positions({"rebuild=16", "threads=3"})));
}

}  // namespace
}  // namespace orrery::sim
