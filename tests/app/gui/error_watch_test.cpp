// Whether a run notices forces that exceed what their kernel states, and what it does. Linked with
// wrong_kernels.cpp.
#include "sim/simulation/error_watch.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "far_group.h"
#include "sim/core/error.h"
#include "sim/options/physics_options.h"
#include "sim/options/tree_options.h"
#include "sim/ranks/world.h"
#include "sim/simulation/engine_registry.h"
#include "sim/simulation/ranked_engine.h"
#include "sim/simulation/simulation_options.h"
#include "tests/sim/simulation/thread_ranks.h"

namespace orrery::sim {
namespace {

/// The result of a run.
struct Outcome {
  Bodies bodies;
  Configuration configuration;
  std::string note;
  std::vector<std::string> lines;
  std::vector<std::uint64_t> checked;  ///< the steps after which forces were compared
  int undone = 0;
};

class WatchedRun : public testing::Test {
 protected:
  Configuration with(const std::vector<std::string>& assignments) const {
    auto configuration = table_.defaults();
    set_physics(configuration, scene_.physics);
    for (const auto& each : std::vector<std::string>{"engine=cpu", "threads=1"})
      table_.assign(configuration, each);
    for (const auto& each : assignments) table_.assign(configuration, each);
    return configuration;
  }

  /// As `render` makes its steps. `fresh`: the first step can be made again.
  Outcome run(const Configuration& configuration, std::uint64_t steps, bool fresh = true) const {
    return run_on(world(), configuration, steps, fresh);
  }
  Outcome run_on(Communicator& ranks, const Configuration& configuration, std::uint64_t steps,
                 bool fresh = true) const {
    Outcome outcome{.bodies = scene_.bodies, .configuration = configuration};
    const auto engine = make_ranked_engine(table_, configuration, ranks);
    engine->load(scene_.bodies, 0.0);
    ErrorWatch watch({.table = table_, .scene = scene_, .first = 0, .last = steps, .fresh = fresh},
                     configuration, ranks, [&](const std::string& line) { outcome.lines.push_back(line); });
    while (engine->status().steps < steps) {
      watch.before_step(*engine, false);
      const bool checks = watch.waits();
      EXPECT_TRUE(engine->advance({}));
      engine->finish();
      const auto step = engine->status().steps;
      if (watch.after_step(*engine, checks ? engine->poll().forces : std::nullopt)) ++outcome.undone;
      if (checks && !watch.waits()) outcome.checked.push_back(step);
    }
    engine->read_back(outcome.bodies);
    outcome.configuration = watch.configuration();
    outcome.note = watch.note();
    return outcome;
  }
  /// Without a watch.
  std::vector<Vec3> plain(const Configuration& configuration, int steps) const {
    const auto engine = make_engine(table_, configuration);
    engine->load(scene_.bodies, 0.0);
    for (int k = 0; k < steps; ++k) engine->advance({});
    auto bodies = scene_.bodies;
    engine->read_back(bodies);
    return bodies.position;
  }

  const OptionTable table_ = [] {
    OptionTable table;
    add_simulation_options(table);
    return table;
  }();
  Scene scene_ = checks::scene_with_far_group();
};

TEST_F(WatchedRun, SaysNothingOfRightForces) {
  const auto configuration = with({"kernel=tree"});
  const auto outcome = run(configuration, 70);
  EXPECT_EQ(outcome.note, "");
  EXPECT_TRUE(outcome.lines.empty());
  EXPECT_EQ(outcome.checked, (std::vector<std::uint64_t>{1, 65, 70}));
  EXPECT_EQ(outcome.configuration, configuration);
  EXPECT_EQ(outcome.bodies.position, plain(configuration, 70)) << "it only looks";
}

TEST_F(WatchedRun, LooksAtTheFirstAndTheLastOfFewSteps) {
  EXPECT_EQ(run(with({"kernel=tree"}), 1).checked, (std::vector<std::uint64_t>{1}));
  EXPECT_EQ(run(with({"kernel=tree"}), 3).checked, (std::vector<std::uint64_t>{1, 3}));
  EXPECT_TRUE(run(with({"kernel=simd"}), 3).checked.empty()) << "every pair is summed";
}

/// The result is that of a run that was right from its first step on.
TEST_F(WatchedRun, MakesTheFirstStepAgainWithASaferOpening) {
  const auto outcome = run(with({"kernel=tree-loses-group"}), 4);
  ASSERT_EQ(outcome.lines.size(), 1U);
  const auto& line = outcome.lines.front();
  EXPECT_NE(line.find("step 1: clump 2 (100 bodies): the median force error"), std::string::npos) << line;
  EXPECT_NE(line.find("kernel=tree-loses-group states: median below"), std::string::npos) << line;
  EXPECT_TRUE(line.ends_with("the step is repeated with opening=geometric:0.7")) << line;
  EXPECT_EQ(line.find('\n'), std::string::npos);
  EXPECT_EQ(outcome.note, line);
  EXPECT_EQ(outcome.undone, 1);
  EXPECT_EQ(outcome.configuration.form("opening").word, "geometric");
  EXPECT_EQ(outcome.checked, (std::vector<std::uint64_t>{1, 1, 4})) << "the safer one is checked at once";
  EXPECT_EQ(outcome.bodies.position, plain(outcome.configuration, 4));
}

TEST_F(WatchedRun, SumsEveryPairWhereNoOpeningHelps) {
  const auto outcome = run(with({"kernel=tree-always-loses-group"}), 4);
  ASSERT_EQ(outcome.lines.size(), 1U);
  EXPECT_TRUE(outcome.lines[0].ends_with("the step is repeated with kernel=simd")) << outcome.lines[0];
  EXPECT_EQ(outcome.configuration.choice("kernel"), "simd");
  EXPECT_EQ(outcome.bodies.position, plain(with({"kernel=simd"}), 4));
}

/// A run that went on from elsewhere has no first step to go back to.
TEST_F(WatchedRun, GoesOnOtherwiseWhereItCannotGoBack) {
  const auto outcome = run(with({"kernel=tree-loses-group"}), 4, false);
  ASSERT_EQ(outcome.lines.size(), 1U);
  EXPECT_NE(outcome.lines.front().find("the run continues with opening=geometric"), std::string::npos);
  EXPECT_EQ(outcome.undone, 0);
  EXPECT_EQ(outcome.checked, (std::vector<std::uint64_t>{1, 2, 4}));
}

/// A group that flies away is far enough to be lost after some steps only.
TEST_F(WatchedRun, NoticesWhatGoesWrongOnTheWay) {
  scene_ = checks::scene_with_far_group(2000, 0.1F);
  scene_.physics.time_step = 1e-3;
  for (std::size_t i = 1900; i < 2000; ++i) scene_.bodies.velocity[i].x = 100.0F;
  const auto outcome = run(with({"kernel=tree-loses-group"}), 70);
  ASSERT_EQ(outcome.lines.size(), 1U);
  EXPECT_NE(outcome.lines.front().find("step 65: "), std::string::npos) << outcome.lines.front();
  EXPECT_NE(outcome.lines.front().find("may have been wrong since step 1"), std::string::npos);
  EXPECT_EQ(outcome.configuration.form("opening").word, "geometric");
}

TEST_F(WatchedRun, TakesTheForcesThatSomebodyElseAskedFor) {
  const auto configuration = with({"kernel=tree-loses-group"});
  const auto engine = make_engine(table_, configuration);
  engine->load(scene_.bodies, 0.0);
  ErrorWatch watch({.table = table_, .scene = scene_, .first = 0, .last = 5}, configuration, world(),
                   [](const std::string&) {});
  engine->observe({.forces = scene_.bodies.size(), .seed = 1});
  watch.before_step(*engine, true);
  ASSERT_TRUE(engine->advance({}));
  const auto forces = engine->poll().forces;
  EXPECT_EQ(forces.value().index.size(), scene_.bodies.size());
  EXPECT_TRUE(watch.after_step(*engine, forces));
}

TEST_F(WatchedRun, AnAccuracyThatIsNotReachedIsAnError) {
  EXPECT_THROW(run(with({"kernel=tree", "accuracy=1e-9"}), 2), Error);
  EXPECT_NO_THROW(run(with({"kernel=tree", "accuracy=1e-3"}), 2));
}

TEST_F(WatchedRun, RanksDoTheSame) {
  scene_.bodies = repeat_galaxies(scene_.bodies, 3);
  const auto configuration = with({"kernel=tree-loses-group", "ranks-split=galaxies"});
  std::vector<Outcome> outcomes(3);
  const auto failures = checks::on_ranks(3, [&](Communicator& ranks) {
    outcomes[static_cast<std::size_t>(ranks.rank())] = run_on(ranks, configuration, 3);
  });
  for (const auto& failure : failures) EXPECT_EQ(failure, "");
  for (const auto& outcome : outcomes) {
    EXPECT_EQ(outcome.configuration.form("opening").word, "geometric");
    EXPECT_EQ(outcome.undone, 2) << "the steps themselves tell which is right";
  }
  EXPECT_EQ(outcomes[0].lines.size(), 2U);
  EXPECT_TRUE(outcomes[1].lines.empty()) << "one of them speaks";
}

TEST_F(WatchedRun, SaferAreFinerOpeningsAndThenEveryPair) {
  const auto before = with({"kernel=tree", "opening=relative:0.008", "order=octupole"});
  const auto safer = safer_configurations(table_, before, 2.0);
  std::vector<std::string> openings;
  for (const auto& each : safer) openings.push_back(differences(table_, before, each));
  ASSERT_EQ(safer.size(), 7U);
  EXPECT_EQ(openings[0], "order=quadrupole");
  EXPECT_EQ(openings[1], "opening=relative:0.001, order=quadrupole");
  const double theta = tree_settings(safer[2]).theta;
  EXPECT_NEAR(median_error({.relative = false, .theta = theta}), median_error({.alpha = 0.008}),
              0.1 * median_error({.alpha = 0.008}));
  EXPECT_EQ(safer[6].choice("kernel"), "simd");
  // Each of a kind is finer than the one before.
  const auto error = [&](std::size_t k) { return stated_error(tree_settings(safer.at(k))).median; };
  EXPECT_LT(error(1), error(0));
  EXPECT_LT(error(4), error(1));
  EXPECT_LT(error(3), error(2));
  EXPECT_LT(error(5), error(3));
  EXPECT_EQ(safer_configurations(table_, with({"kernel=tree", "opening=geometric"}), 2.0).size(), 3U);
  // Longer than anybody wants to wait: that is said instead.
  for (const auto& each : safer_configurations(table_, before, 140.0))
    EXPECT_EQ(each.choice("kernel"), "tree");
  EXPECT_EQ(every_pair_advice(table_, before, 140.0),
            "; kernel=simd sums every pair, with 140 times the interactions");
}

TEST(CheckedBodies, AreBoundedByTheirPairs) {
  EXPECT_EQ(checkable_bodies(100, first_check), 100U);
  EXPECT_EQ(checkable_bodies(100'000, first_check), 576U);
  EXPECT_EQ(checkable_bodies(10'000'000, first_check), 100U);
  EXPECT_EQ(checkable_bodies(10'000'000, later_checks), 32U);
  EXPECT_EQ(checkable_bodies(10'000'000, benchmark_check), 500U);
  EXPECT_EQ(checkable_bodies(0, first_check), 0U);
}

}  // namespace
}  // namespace orrery::sim
