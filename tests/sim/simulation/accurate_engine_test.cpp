#include "sim/simulation/accurate_engine.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <functional>
#include <limits>
#include <set>

#include "sim/galaxies/model.h"
#include "sim/options/tree_options.h"
#include "sim/simulation/alpha_steps.h"
#include "sim/simulation/monitor.h"
#include "tests/sim/engines/engine_cases.h"

namespace orrery::sim {
namespace {

using checks::after;
using checks::loaded;
using checks::same_bits;

TEST(AlphaSteps, AreAGrid) {
  EXPECT_DOUBLE_EQ(alpha_of_step(0), 0.01);
  EXPECT_DOUBLE_EQ(alpha_of_step(4), 0.02);
  for (const int step : {-80, -17, 0, 9, 13}) EXPECT_EQ(step_of_alpha(alpha_of_step(step)), step);
  EXPECT_EQ(step_of_alpha(0.0), -80);
  EXPECT_EQ(step_of_alpha(5.0), 13);
}

TEST(AlphaSteps, StayWithinTheBandAndGoTowardsItElse) {
  const double wanted = 1e-4;
  EXPECT_EQ(corrected_step(-10, 0.9e-4, wanted, first_band), -10);
  EXPECT_EQ(corrected_step(-10, 1.2e-4, wanted, later_band), -10) << "no fluttering";
  EXPECT_LT(corrected_step(-10, 1.2e-4, wanted, first_band), -10);
  EXPECT_GT(corrected_step(-10, 0.3e-4, wanted, later_band), -10);
  EXPECT_EQ(corrected_step(-10, 0.0, wanted, first_band), 6) << "by a factor of 16 at most";
  EXPECT_EQ(corrected_step(-10, std::numeric_limits<double>::infinity(), wanted, first_band), -26);
  EXPECT_EQ(corrected_step(-10, std::numeric_limits<double>::quiet_NaN(), wanted, first_band), -26);
  EXPECT_EQ(corrected_step(-79, 1.0, wanted, first_band), -80);
}

/// The step at which a search ends, and all that it tried, where `error_of` says what the error is.
struct Searched {
  AlphaSearch search;
  std::set<int> tried;
};
Searched searched(int first, double wanted, const std::function<double(int)>& error_of) {
  Searched all{AlphaSearch(first, wanted, first_band), {first}};
  while (all.search.goes_on(error_of(all.search.step()))) all.tried.insert(all.search.step());
  return all;
}

/// Far from any law: right up to some alpha, and altogether wrong above.
TEST(AlphaSearch, EndsOnAStepThatWasTriedAndIsGood) {
  for (const int edge : {6, -3, -10, -17, -20, -30}) {
    const auto all = searched(7, 1e-3, [&](int step) { return step <= edge ? 7e-5 : 1.0; });
    EXPECT_TRUE(all.tried.contains(all.search.step())) << edge;
    EXPECT_LE(all.search.step(), edge);
    EXPECT_GE(all.search.step(), edge - 16);
    EXPECT_EQ(all.search.error(), 7e-5);
  }
}

TEST(AlphaSearch, EndsOnTheBestWhereNoneIsGood) {
  const auto all = searched(0, 1e-6, [](int step) { return 1e-4 + 1e-6 * std::abs(step + 32); });
  EXPECT_TRUE(all.tried.contains(all.search.step()));
  EXPECT_EQ(all.search.step(), -32);
  const auto none = searched(0, 1e-6, [](int) { return std::numeric_limits<double>::quiet_NaN(); });
  EXPECT_TRUE(none.tried.contains(none.search.step()));
  EXPECT_GT(none.search.error(), 1.0);
}

TEST(AlphaSearch, FindsTheBandOfAPowerLaw) {
  for (const double power : {0.4, 0.63, 0.9}) {
    const auto all = searched(step_of_alpha(alpha_for(1e-3)), 1e-3,
                              [&](int step) { return 0.2 * std::pow(alpha_of_step(step), power); });
    EXPECT_LE(all.search.error(), 1e-3) << power;
    EXPECT_GE(all.search.error(), 0.5e-3) << power;
  }
}

TEST(AlphaSteps, FindTheAlphaOfAnyPowerLaw) {
  for (const double power : {0.4, 0.63, 0.9}) {
    const auto error_of = [&](int step) { return 0.2 * std::pow(alpha_of_step(step), power); };
    int step = step_of_alpha(alpha_for(1e-3));
    for (int trial = 0; trial < 5; ++trial) step = corrected_step(step, error_of(step), 1e-3, first_band);
    EXPECT_LE(error_of(step), 1e-3) << power;
    EXPECT_GE(error_of(step), 0.5e-3) << power;
  }
}

TEST(Crossover, NeedsMoreBodiesForMoreAccuracy) {
  for (const bool on_gpu : {false, true}) {
    double before = 0.0;
    for (const double alpha : {0.1, 0.009, 1e-3, 3e-4, 1e-5, 1e-6}) {
      EXPECT_GT(fewest_for_tree(alpha, on_gpu), before) << alpha;
      before = fewest_for_tree(alpha, on_gpu);
    }
  }
  EXPECT_DOUBLE_EQ(fewest_for_tree(0.01, false), fewest_for_tree(1.0, false));
  EXPECT_EQ(fewest_for_tree(0.0, false), std::numeric_limits<double>::infinity()) << "every pair is summed";
}

Bodies bodies_of(const char* model, std::size_t count) { return make_galaxy(model, {count, 5}).bodies; }

/// One body in the middle weighs as much as so many times all others.
Bodies with_heavy_body(double times, std::size_t count) {
  auto bodies = bodies_of("plummer", count);
  double sum = 0.0;
  for (const float m : bodies.mass) sum += m;
  bodies.position[0] = {};
  bodies.velocity[0] = {};
  bodies.mass[0] = static_cast<float>(times * sum);
  return bodies;
}

Configuration with(const std::vector<std::string>& assignments) {
  std::vector<std::string> all{"engine=cpu", "threads=2", "softening=0.02", "time-step=0.001"};
  all.insert(all.end(), assignments.begin(), assignments.end());
  return checks::configuration_of({.assignments = all});
}

struct Found {
  double error = 0.0, alpha = 0.0, median = 0.0, p99 = 0.0;
};

/// The error of the first step over the one that is asked for, by bodies of another sample.
Found found_of(const std::vector<std::string>& assignments, const Bodies& bodies) {
  const auto engine = loaded(with(assignments), bodies);
  engine->observe({.forces = 600, .seed = 99});
  EXPECT_TRUE(engine->advance({}));
  const auto sample = engine->poll().forces;
  if (!sample) return {};
  const auto error = force_error(*sample);
  return {std::max(error.median, error.p99 / accurate_p99), engine->report().number("alpha"), error.median,
          error.p99};
}

Found by_law(double wanted, const Bodies& bodies) {
  return found_of({"kernel=tree", "opening=" + relative_opening(alpha_for(wanted))}, bodies);
}

/// Where the law of spheres and disks is off, what was asked for comes all the same.
TEST(Accuracy, IsMeasuredWithTheBodiesAtHand) {
  constexpr double wanted = 1e-3;
  for (const auto& bodies : {bodies_of("square", 6000), with_heavy_body(3.0, 6000)}) {
    const double ratio = by_law(wanted, bodies).error / wanted;
    EXPECT_TRUE(ratio < 0.5 || ratio > 1.5) << "nothing to correct: " << ratio;
    const auto found = found_of({"kernel=tree", "accuracy=0.001"}, bodies);
    EXPECT_NE(found.alpha, alpha_of_step(step_of_alpha(alpha_for(wanted))));
    EXPECT_LT(found.error, 1.3 * wanted) << found.alpha << ' ' << found.median << ' ' << found.p99;
    EXPECT_TRUE(found.error > 0.4 * wanted || found.alpha > 0.09) << found.error;
  }
}

TEST(Accuracy, ComesForUsualGalaxies) {
  for (const char* model : {"plummer", "disk", "collision"}) {
    const auto found = found_of({"kernel=tree", "accuracy=0.0001"}, bodies_of(model, 6000));
    EXPECT_LT(found.error, 1.3e-4) << model;
    EXPECT_GT(found.error, 0.4e-4) << model;
  }
}

/// Two spheres far apart: what a tree may take together there has nothing to do with what it may in one.
Bodies far_spheres(double distance) {
  auto bodies = bodies_of("plummer", 5000);
  auto other = make_galaxy("plummer", {.bodies = 5000, .seed = 9}).bodies;
  for (auto& x : other.position) x.x += static_cast<float>(distance);
  bodies.append(other);
  return bodies;
}

TEST(Accuracy, IsReachedInEachOfTwoSpheresFarApart) {
  for (const double distance : {150.0, 1000.0}) {
    const auto bodies = far_spheres(distance);
    const auto engine = loaded(with({"kernel=tree", "accuracy=0.001"}), bodies);
    engine->observe({.forces = 600, .seed = 99});
    ASSERT_TRUE(engine->advance({}));
    EXPECT_EQ(engine->report().shortfall, "") << distance;
    const auto error = force_error(engine->poll().forces.value());
    EXPECT_LT(std::max(error.median, error.p99 / 20.0), 1.3e-3) << distance;
  }
}

TEST(Accuracy, ThatIsNotReachedIsSaid) {
  const auto bodies = bodies_of("plummer", 3000);
  const auto engine = loaded(with({"kernel=tree", "accuracy=1e-9"}), bodies);
  ASSERT_TRUE(engine->advance({}));
  const auto shortfall = engine->report().shortfall;
  EXPECT_NE(shortfall.find("accuracy=1e-09 is not reached"), std::string::npos) << shortfall;
  EXPECT_NE(shortfall.find("kernel=simd"), std::string::npos) << shortfall;
  // Of what goes on from there, too.
  const auto other = loaded(with({"kernel=tree", "accuracy=1e-9"}), bodies);
  EXPECT_TRUE(other->restore_state(engine->save_state()));
  EXPECT_EQ(other->report().shortfall, shortfall);
  EXPECT_EQ(loaded(with({"kernel=tree"}), bodies)->report().shortfall, "");
}

TEST(AutomaticKernel, SaysThatNotEvenEveryPairReachesAnAccuracy) {
  const auto bodies = bodies_of("plummer", 2000);
  const auto engine = loaded(with({"kernel=auto", "accuracy=1e-9"}), bodies);
  ASSERT_TRUE(engine->advance({}));
  EXPECT_NE(engine->report().shortfall.find("every pair"), std::string::npos) << engine->report().shortfall;
  const auto enough = loaded(with({"kernel=auto", "accuracy=1e-5"}), bodies);
  ASSERT_TRUE(enough->advance({}));
  EXPECT_EQ(enough->report().shortfall, "");
  EXPECT_EQ(enough->report().text("kernel_taken"), "simd");
}

/// The trial leaves no trace: the run has the bits of one that was told alpha, and the order for it.
TEST(Accuracy, IsALongNameForAnAlphaAndAnOrder) {
  const auto bodies = bodies_of("disk", 3000);
  for (const auto& [accuracy, order] :
       {std::pair{"accuracy=0.0003", "quadrupole"}, {"accuracy=1e-5", "octupole"}}) {
    const auto engine = loaded(with({"kernel=tree", accuracy}), bodies);
    const auto moved = after(*engine, bodies, 4);
    const double alpha = engine->report().number("alpha");
    EXPECT_EQ(engine->status().steps, 4U);
    auto told = with({"kernel=tree"});
    told.set("opening", relative_opening(alpha));
    told.set("order", std::string(order));
    const auto expected = after(*loaded(told, bodies), bodies, 4);
    EXPECT_TRUE(same_bits(moved.position, expected.position)) << accuracy;
    EXPECT_TRUE(same_bits(moved.velocity, expected.velocity)) << accuracy;
  }
}

/// The option's own statement: accuracy decides.
TEST(Accuracy, TheOrderDoesNothingBesideIt) {
  const auto bodies = bodies_of("plummer", 3000);
  for (const char* accuracy : {"accuracy=0.001", "accuracy=1e-5"}) {
    const auto usual = after(*loaded(with({"kernel=tree", accuracy}), bodies), bodies, 1);
    for (const char* order : {"order=octupole", "order=monopole"}) {
      const auto other = after(*loaded(with({"kernel=tree", accuracy, order}), bodies), bodies, 1);
      EXPECT_TRUE(same_bits(usual.position, other.position)) << accuracy << ' ' << order;
    }
  }
}

TEST(Accuracy, TakesThirdMomentsForSmallErrors) {
  const auto order = [](const char* accuracy) {
    return tree_settings(with({"kernel=tree", accuracy})).order;
  };
  EXPECT_EQ(order("accuracy=1e-4"), CellOrder::octupole);
  EXPECT_EQ(order("accuracy=2e-4"), CellOrder::quadrupole);
}

TEST(Accuracy, DoesNotDependOnThreads) {
  const auto bodies = bodies_of("disk", 3000);
  std::vector<Bodies> moved;
  for (const char* threads : {"threads=1", "threads=3"})
    moved.push_back(after(*loaded(with({"kernel=tree", "accuracy=0.0003", threads}), bodies), bodies, 3));
  EXPECT_TRUE(same_bits(moved[0].position, moved[1].position));
  EXPECT_TRUE(same_bits(moved[0].velocity, moved[1].velocity));
}

TEST(Accuracy, AnInterruptedMeasurementIsMadeAgain) {
  const auto bodies = bodies_of("disk", 2000);
  const auto configuration = with({"kernel=tree", "accuracy=0.0003"});
  const auto expected = after(*loaded(configuration, bodies), bodies, 2);
  const auto engine = loaded(configuration, bodies);
  const std::atomic<bool> interrupt = true;
  EXPECT_FALSE(engine->advance({.interrupt = &interrupt}));
  EXPECT_EQ(engine->status().steps, 0U);
  EXPECT_TRUE(same_bits(after(*engine, bodies, 2).position, expected.position));
}

TEST(Accuracy, SamplesOfOthersArrive) {
  const auto bodies = bodies_of("plummer", 2000);
  const auto engine = loaded(with({"kernel=tree", "accuracy=0.0003"}), bodies);
  engine->observe({.forces = 10, .seed = 1});
  EXPECT_TRUE(engine->advance({}));
  const auto sample = engine->poll().forces;
  ASSERT_TRUE(sample);
  EXPECT_EQ(sample->index.size(), 10U);
  EXPECT_TRUE(sample->stated_error == stated_error(tree_settings(with({"accuracy=0.0003"}))));
}

/// A cold sheet falls together: what held for it at first does not later.
class ChangingBodies : public ::testing::Test {
 protected:
  static constexpr int interval = static_cast<int>(AccurateEngine::check_interval);
  Bodies bodies_ = bodies_of("square", 500);
  Configuration configuration_ = with({"kernel=tree", "accuracy=0.001", "time-step=0.004"});
};

TEST_F(ChangingBodies, AreLookedAtAgain) {
  const auto engine = loaded(configuration_, bodies_);
  after(*engine, bodies_, 1);
  const double first = engine->report().number("alpha");
  after(*engine, bodies_, interval - 1);
  EXPECT_EQ(engine->report().number("alpha"), first);
  after(*engine, bodies_, 1);
  const double changed = std::abs(std::log2(engine->report().number("alpha") / first));
  EXPECT_GT(changed, 0.5);
}

TEST_F(ChangingBodies, GoOnFromACheckpointWithTheSameBits) {
  const auto engine = loaded(configuration_, bodies_);
  after(*engine, bodies_, interval);
  const auto state = engine->save_state();
  const auto expected = after(*engine, bodies_, 3);
  const auto other = loaded(configuration_, bodies_);
  EXPECT_TRUE(other->restore_state(state));
  EXPECT_TRUE(same_bits(after(*other, bodies_, 3).position, expected.position));
  EXPECT_EQ(other->report().number("alpha"), engine->report().number("alpha"));
  auto changed = configuration_;
  changed.set("accuracy", 1e-4);
  EXPECT_FALSE(loaded(changed, bodies_)->restore_state(state)) << "another alpha is found";
}

std::string taken(const std::vector<std::string>& assignments, std::size_t bodies) {
  const auto galaxy = bodies_of("plummer", bodies);
  const auto engine = loaded(with(assignments), galaxy);
  EXPECT_TRUE(engine->advance({}));
  return engine->report().text("kernel_taken");
}

TEST(AutomaticKernel, IsDirectForFewBodiesOrMuchAccuracy) {
  EXPECT_EQ(taken({"kernel=auto"}, 2000), "simd");
  EXPECT_EQ(taken({"kernel=auto"}, 20'000), "tree");
  EXPECT_EQ(taken({"kernel=auto", "accuracy=0.001"}, 20'000), "tree");
  EXPECT_EQ(taken({"kernel=auto", "accuracy=1e-7"}, 20'000), "simd");
}

TEST(AutomaticKernel, HasTheBitsOfTheOneThatIsTaken) {
  const auto few = bodies_of("plummer", 500), many = bodies_of("plummer", 20'000);
  const auto moved = [](const char* kernel, const Bodies& bodies) {
    return after(*loaded(with({kernel}), bodies), bodies, 2).position;
  };
  EXPECT_TRUE(same_bits(moved("kernel=auto", few), moved("kernel=simd", few)));
  EXPECT_TRUE(same_bits(moved("kernel=auto", many), moved("kernel=tree", many)));
}

TEST(AutomaticKernel, StatesTheErrorOfTheOneThatIsTaken) {
  const auto bodies = bodies_of("plummer", 500);
  const auto engine = loaded(with({"kernel=auto", "accuracy=0.001"}), bodies);
  engine->observe({.forces = 10, .seed = 1});
  EXPECT_TRUE(engine->advance({}));
  EXPECT_TRUE(engine->poll().forces->stated_error == StatedError{});
}

}  // namespace
}  // namespace orrery::sim
