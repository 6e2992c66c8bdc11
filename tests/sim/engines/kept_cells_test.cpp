// Trees whose order and cells serve several steps (rebuild), on the CPU.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "engine_cases.h"
#include "sim/galaxies/model.h"
#include "sim/options/tree_options.h"
#include "sim/physics/diagnostics/force_error.h"

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
  return force_error(engine->poll().forces.value());
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
}

/// In 15 long steps nothing stays near its neighbours of once.
TEST(KeptCells, OldCellsHaveTheErrorThatTheyState) {
  const auto stated = stated_error(tree_settings(configured({"rebuild=16"})));
  EXPECT_GT(stated.median, 1.9 * stated_error(tree_settings(configured({"rebuild=1"}))).median);
  EXPECT_EQ(stated_error(tree_settings(configured({"rebuild=16", "step=block"}))).median,
            stated_error(tree_settings(configured({"rebuild=1"}))).median);
  const auto old = error_after({"rebuild=16", "time-step=0.05"}, 16);
  EXPECT_LT(old.median, stated.median);
  EXPECT_LT(old.p99, stated.p99);
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

/// Kept cells belong to the present bodies and settings: a change makes cells anew at once.
TEST(KeptCells, OtherSettingsAndBodiesMakeNewOnes) {
  const auto bodies = spheres();
  const auto engine = loaded(configured(), bodies), other = loaded(configured({"order=octupole"}), bodies);
  after(*engine, bodies, 2);
  ASSERT_TRUE(other->restore_state(engine->save_state()));
  engine->configure(configured({"order=octupole"}));
  EXPECT_TRUE(same_bits(after(*engine, bodies, 1).position, after(*other, bodies, 1).position));
  const auto mirrored = [&] {
    auto result = bodies;
    for (auto& x : result.position) x = {-x.z, x.x, x.y};
    return result;
  }();
  engine->load(mirrored, 0.0);
  EXPECT_TRUE(same_bits(after(*engine, mirrored, 3).position,
                        after(*loaded(configured({"order=octupole"}), mirrored), mirrored, 3).position));
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

/// Three steps from a saved state; the first one is interrupted after that time, and made again.
std::vector<Vec3> interrupted(const Configuration& configuration, const Bodies& bodies,
                              const EngineState& saved, std::chrono::microseconds when) {
  const auto engine = loaded(configuration, bodies);
  EXPECT_TRUE(engine->restore_state(saved));
  std::atomic<bool> now{false};
  std::thread later([&] {
    std::this_thread::sleep_for(when);
    now = true;
  });
  const bool complete = engine->advance({.interrupt = &now});
  later.join();
  return after(*engine, bodies, complete ? 2 : 3).position;
}

/// Cells that an interrupted step made are not those with which it is made again.
TEST(KeptCells, AnInterruptedStepHasTheSameBits) {
  const auto bodies = spheres();
  for (const char* kind :
       {"integrator=rk4", "integrator=yoshida", "step=adaptive", "step=even", "step=block"}) {
    const auto configuration = configured({kind});
    const auto before = loaded(configuration, bodies), whole = loaded(configuration, bodies);
    after(*before, bodies, 2);
    const auto saved = before->save_state();
    ASSERT_TRUE(whole->restore_state(saved));
    const auto expected = after(*whole, bodies, 3).position;
    // Between its evaluations, at least for some of these times.
    for (const int microseconds : {500, 1500, 3000, 5000, 8000, 12'000})
      EXPECT_TRUE(same_bits(
          interrupted(configuration, bodies, saved, std::chrono::microseconds(microseconds)), expected))
          << kind;
  }
}

/// A dense galaxy and a sparse one, in which nobody's step ends at most block times.
class KeptCellsOfBlockTimes : public testing::Test {
 protected:
  static Configuration with(const std::vector<std::string>& more) {
    std::vector<std::string> all{"softening=0.005", "time-step=0.03125", "step=block:0.1"};
    all.insert(all.end(), more.begin(), more.end());
    return configured(all);
  }
  static Bodies dense_and_sparse() {
    auto bodies = make_galaxy("hernquist", {.bodies = 1500, .seed = 3}).bodies;
    auto sparse = make_galaxy("plummer", {.bodies = 300, .seed = 4}).bodies;
    for (auto& x : sparse.position) x *= 3.0F;
    for (auto& v : sparse.velocity) v *= 0.6F;
    bodies.append(sparse, 1);
    return bodies;
  }
  const Bodies bodies = dense_and_sparse();
  std::vector<Vec3> positions(const std::vector<std::string>& more) const {
    return after(*loaded(with(more), bodies), bodies, 3).position;
  }
};

TEST_F(KeptCellsOfBlockTimes, MoveBodiesToTheirError) {
  const auto fresh = positions({"rebuild=1"}), kept = positions({"rebuild=0"});
  EXPECT_LT(checks::largest_difference(fresh, kept), 1e-4);
  EXPECT_FALSE(same_bits(fresh, kept)) << "cells were not kept";
  EXPECT_TRUE(same_bits(kept, positions({"rebuild=16"})));
  EXPECT_TRUE(same_bits(kept, positions({"rebuild=16", "threads=3"})));
}

TEST_F(KeptCellsOfBlockTimes, PullEveryGalaxyAsTheyShould) {
  const auto engine = loaded(with({"rebuild=16"}), bodies);
  after(*engine, bodies, 2);
  engine->observe({.forces = bodies.size(), .seed = 1});
  after(*engine, bodies, 1);
  auto sample = engine->poll().forces.value();
  EXPECT_LT(force_error(sample).p99, 1e-2);
  EXPECT_LT(checks::largest_error_of_pulls(sample), 1e-2);
}

TEST_F(KeptCellsOfBlockTimes, GoOnFromACheckpointWithTheSameBits) {
  const auto engine = loaded(with({}), bodies), other = loaded(with({}), bodies);
  after(*engine, bodies, 3);
  ASSERT_TRUE(other->restore_state(engine->save_state()));
  EXPECT_TRUE(same_bits(after(*engine, bodies, 2).position, after(*other, bodies, 2).position));
}

}  // namespace
}  // namespace orrery::sim
