#include "sim/cpu/tree/tree_forces.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "sim/galaxies/model.h"
#include "sim/options/tree_options.h"
#include "sim/physics/diagnostics/force_error.h"
#include "sim/simulation/approximate_kernels.h"
#include "tests/sim/engines/engine_cases.h"

namespace orrery::sim {
namespace {

/// One evaluation of the kernel.
struct Evaluation {
  Bodies bodies;
  TreeSettings tree = {};
  int threads = 2;
  float softening_squared = 1e-4F;
  const std::atomic<bool>* interrupt = nullptr;
  double interactions = 0.0;
  std::vector<Vec3> acceleration = {};

  bool run() {
    acceleration.assign(bodies.size(), Vec3{NAN, NAN, NAN});
    const auto galaxies = bodies.galaxies();
    std::unique_ptr<KernelMemory> memory;
    return find_cpu_kernel("tree")->evaluate({.position = bodies.position,
                                              .mass = bodies.mass,
                                              .galaxies = galaxies,
                                              .softening_squared = softening_squared,
                                              .threads = threads,
                                              .interrupt = interrupt,
                                              .acceleration = acceleration,
                                              .memory = &memory,
                                              .interactions = &interactions,
                                              .tree = tree});
  }

  /// Relative errors of every 7th body, sorted.
  std::vector<double> errors() const {
    const ForceState state{bodies.position, bodies.velocity, bodies.mass, bodies.charge};
    std::vector<double> found;
    for (const auto& galaxy : bodies.galaxies()) {
      for (std::size_t i = galaxy.first; i < galaxy.last; i += 7) {
        const auto exact =
            gravity_law.acceleration(state, {.softening_squared = softening_squared}, i, galaxy);
        const double size = norm(exact);
        found.push_back(norm(DVec3(acceleration[i]) - exact) / (size > 0.0 ? size : 1.0));
      }
    }
    std::ranges::sort(found);
    return found;
  }
  double median() const { return errors()[errors().size() / 2]; }
};

Bodies plummer(std::size_t bodies) { return make_galaxy("plummer", {.bodies = bodies, .seed = 3}).bodies; }

/// The rule goes on with the number of bodies, up to eight doublings, and begins where it ends for few.
TEST(TreeForces, TheRuleFollowsTheNumberOfBodies) {
  const auto few = cell_rule({}, 32'767), first = cell_rule({}, 32'768), million = cell_rule({}, 1'048'576),
             many = cell_rule({}, 8'388'608), more = cell_rule({}, 100'000'000);
  EXPECT_EQ(few.inner_part, 1.0);
  EXPECT_EQ(few.most_times, 1.0);
  EXPECT_NEAR(first.inner_part, 0.6, 1e-12);
  EXPECT_NEAR(million.inner_part, 0.4, 1e-12);
  EXPECT_NEAR(million.most_times, 3.0, 1e-12);
  EXPECT_NEAR(million.caution, 3.7, 1e-12);
  EXPECT_NEAR(many.caution, 2.9, 1e-12);
  EXPECT_EQ(few.caution, 1.5);
  EXPECT_NEAR(many.inner_part, 0.28, 1e-12);
  EXPECT_EQ(more.most_times, many.most_times);
  EXPECT_EQ(cell_rule({.relative = false}, 1'048'576).inner_part, 1.0);
}

TEST(TreeForces, LargeTreesKeepTheErrorWithFewerSums) {
  for (const char* model : {"plummer", "disk"}) {
    Evaluation smaller{.bodies = make_galaxy(model, {.bodies = 33'000, .seed = 1}).bodies},
        larger{.bodies = make_galaxy(model, {.bodies = 260'000, .seed = 1}).bodies};
    ASSERT_TRUE(smaller.run() && larger.run());
    EXPECT_LT(larger.interactions / 260'000, 0.88 * smaller.interactions / 33'000) << model;
    ForceSample sample{.position = larger.bodies.position,
                       .mass = larger.bodies.mass,
                       .galaxies = larger.bodies.galaxies(),
                       .physics = {.softening = 0.01}};
    sample.index = sampled_bodies(sample, larger.bodies.size(), 500, 1);
    for (const auto i : sample.index) sample.acceleration.push_back(larger.acceleration[i]);
    const auto error = force_error(sample);
    EXPECT_LT(error.median, 9e-4) << model;
    EXPECT_LT(error.p99, 7e-3) << model;
    EXPECT_LT(error.maximum, 5e-2) << model;
  }
}

/// The nearest body of a group decides: alone a body has all of the error that is allowed.
TEST(TreeForces, SmallGroupsStateALargerError) {
  for (const char* model : {"plummer", "disk"}) {
    for (const std::size_t group : {1U, 4U, 8U, 64U}) {
      const TreeSettings settings{.group_size = group};
      Evaluation evaluation{.bodies = make_galaxy(model, {.bodies = 4000, .seed = 1}).bodies,
                            .tree = settings};
      ASSERT_TRUE(evaluation.run());
      EXPECT_LT(evaluation.median(), stated_error(settings).median) << model << ' ' << group;
      EXPECT_GT(evaluation.median(), 0.15 * stated_error(settings).median) << model << ' ' << group;
      const auto errors = evaluation.errors();
      EXPECT_LT(errors[errors.size() * 99 / 100], stated_error(settings).p99) << model << ' ' << group;
    }
  }
  EXPECT_EQ(stated_error({.group_size = 16}).median, stated_error({.group_size = 128}).median);
  EXPECT_GT(stated_error({.group_size = 1}).median, 3.0 * stated_error({.group_size = 64}).median);
}

/// A statement that says little of the tail would be no statement: 99 % of the bodies are below it, and it is
/// not far from what they have. Inside of a hollow shell pulls cancel: there errors are largest.
TEST(TreeForces, TheStatedTailIsThatOfTheBodies) {
  for (const auto& settings : {TreeSettings{}, TreeSettings{.alpha = 1e-3}, TreeSettings{.relative = false},
                               TreeSettings{.alpha = 1e-4, .order = CellOrder::octupole}}) {
    const auto stated = stated_error(settings);
    EXPECT_LT(stated.p99, 10.0 * stated.median);
    for (const char* model : {"plummer", "disk", "collision", "hernquist", "shell"}) {
      Evaluation evaluation{.bodies = make_galaxy(model, {.bodies = 6000, .seed = 2}).bodies,
                            .tree = settings};
      ASSERT_TRUE(evaluation.run());
      const auto errors = evaluation.errors();
      const double tail = errors[errors.size() * 99 / 100];
      EXPECT_LT(tail, stated.p99) << model << ' ' << settings.alpha;
      EXPECT_GT(tail, 0.05 * stated.p99) << model << ' ' << settings.alpha;
    }
  }
}

// One choice instead of three: what was asked for is what comes, within a factor of three.
TEST(TreeForces, AccuracyIsWhatIsAskedFor) {
  for (const char* model : {"plummer", "disk"}) {
    const auto bodies = make_galaxy(model, {.bodies = 6000, .seed = 1}).bodies;
    for (const double wanted : {1e-3, 1e-4}) {
      auto configuration = checks::configuration_of(
          {.assignments = {"engine=cpu", "kernel=tree", "opening=geometric", "order=monopole"}});
      EXPECT_TRUE(opens_by_geometry(configuration));
      configuration.set("accuracy", wanted);
      EXPECT_FALSE(opens_by_geometry(configuration));
      const auto settings = tree_settings(configuration);
      Evaluation evaluation{.bodies = bodies, .tree = settings};
      ASSERT_TRUE(evaluation.run());
      EXPECT_LT(evaluation.median(), 2.0 * wanted) << model;
      EXPECT_GT(evaluation.median(), wanted / 3.0) << model;
      EXPECT_LT(evaluation.median(), stated_error(settings).median) << model;
    }
  }
}

/// A cell with the group in it would pull its bodies by themselves. By the relative rule one might, where all
/// that it pulls is below a third of alpha of the acceleration: not with any alpha that `accuracy` takes.
/// (With many bodies it may where it pulls little more than alpha of it.)
TEST(TreeForces, TheBodiesOfAGroupAreAlwaysSummedOneByOne) {
  const auto bodies = plummer(5000);
  Octree tree;
  tree.build(bodies.position, bodies.mass, {.leaf_size = 16}, 2);
  GroupSources sources;
  for (const auto& settings : {TreeSettings{.relative = false, .theta = 1.5}, TreeSettings{.alpha = 0.1}}) {
    const WalkTable table(tree, settings, 1e-4, 2);
    GroupWalk walk(tree, table, settings);
    for (std::size_t first = 0; first + 8 <= 5000; first += 8) {
      ASSERT_TRUE(walk.collect(first, 8, 5000, sources));
      for (std::size_t k = first; k < first + 8; ++k) {
        const Vec3 place = tree.position()[k];
        EXPECT_TRUE(std::ranges::any_of(sources.bodies,
                                        [&](const GroupSources::Body& body) {
                                          return body[0] == place.x && body[1] == place.y &&
                                                 body[2] == place.z;
                                        }))
            << "body " << k;
      }
    }
  }
}

/// Where their second moments would do cells go without third ones, which cost nearly as much again.
TEST(TreeForces, SomeCellsNeedNoThirdMoments) {
  const auto bodies = plummer(20'000);
  const TreeSettings settings{.alpha = 1e-4, .order = CellOrder::octupole};
  Octree tree;
  tree.build(bodies.position, bodies.mass, shape_of(settings), 2);
  const WalkTable table(tree, settings, 1e-4, 2);
  GroupWalk walk(tree, table, settings);
  GroupSources sources;
  std::size_t thirds = 0, cells = 0;
  for (std::size_t first = 0; first + 64 <= bodies.size(); first += 640) {
    ASSERT_TRUE(walk.collect(first, 64, bodies.size(), sources));
    thirds += sources.third.size(), cells += sources.cells.size();
  }
  EXPECT_GT(thirds, cells / 10);
  EXPECT_LT(thirds, cells / 2);
}

/// At the distance at which second moments leave out just what is allowed.
TEST(TreeSettings, TheMarginOfSecondMomentsIsTheirOwnRule) {
  const TreeSettings third{.alpha = 3e-4, .order = CellOrder::octupole}, second{.alpha = 3e-4};
  constexpr double mass = 0.7, reach = 0.3, pull = 2.0;
  const auto least_of = [&](const TreeSettings& s) {
    const double out = cell_rule(s, 100'000).caution * mass * std::pow(reach, first_left_out(s.order));
    return std::pow(out / (s.alpha * pull), distance_power(s.order));
  };
  const double x = least_of(second), least = least_of(third), b = reach;
  EXPECT_NEAR(std::pow(x / least, 5) * b * b / (second_moments_margin(third) * least), 1.0, 1e-9);
  EXPECT_TRUE(std::isinf(second_moments_margin({.relative = false, .order = CellOrder::octupole})));
}

/// All sets of vector instructions find the same lists. They add up in other orders, which shows which one
/// ran.
TEST(TreeForces, InstructionsChooseWhatWalks) {
  const auto bodies = plummer(5000);
  Octree tree;
  tree.build(bodies.position, bodies.mass, {.leaf_size = 16}, 2);
  const TreeSettings settings{.relative = true};
  const WalkTable table(tree, settings, 1e-4, 2);
  GroupSources sources, expected;
  std::size_t others = 0;
  for (const auto& set : instruction_sets()) {
    if (!why_not_here(set).empty()) continue;
    GroupWalk walk(tree, table, settings, set), usual(tree, table, settings);
    std::size_t different = 0;
    for (std::size_t first = 0; first + 50 <= 5000; first += 50) {
      ASSERT_TRUE(walk.collect(first, 50, 5000, sources) && usual.collect(first, 50, 5000, expected));
      EXPECT_NEAR(walk.coarse_pull() / usual.coarse_pull(), 1.0F, 1e-4F) << set.name;
      EXPECT_NEAR(static_cast<double>(sources.bodies.size()), static_cast<double>(expected.bodies.size()),
                  32);
      different += walk.coarse_pull() != usual.coarse_pull() ? 1 : 0;
    }
    others += different > 0 ? 1 : 0;
    EXPECT_TRUE(different == 0 || set.name != instruction_set("auto").name) << set.name;
  }
  // Those of x86 with 16 and with 8 numbers both meet a cell's parts at once; the narrower ones do not.
  EXPECT_GT(others, 0U);
}

/// No power of a distance may leave single precision.
TEST(TreeForces, LengthsMayBeSmallOrLarge) {
  for (const float length : {1e-8F, 1e-4F, 1e4F, 1e7F}) {
    auto bodies = plummer(4000);
    for (auto& x : bodies.position) x *= length;
    for (auto& m : bodies.mass) m *= length > 1.0F ? 1e12F : 1.0F;
    for (const auto order : {CellOrder::quadrupole, CellOrder::octupole}) {
      Evaluation evaluation{
          .bodies = bodies, .tree = {.order = order}, .softening_squared = 1e-4F * length * length};
      ASSERT_TRUE(evaluation.run());
      EXPECT_LT(evaluation.median(), 1e-3) << length;
      EXPECT_LT(evaluation.errors().back(), 1e-1) << length;
    }
  }
}

TEST(TreeForces, TheNumberOfThreadsChangesNoBit) {
  Evaluation one{.bodies = plummer(20'011), .threads = 1};
  ASSERT_TRUE(one.run());
  for (const int threads : {2, 3, 5}) {
    Evaluation other{.bodies = one.bodies, .threads = threads};
    ASSERT_TRUE(other.run());
    EXPECT_TRUE(checks::same_bits(other.acceleration, one.acceleration)) << threads;
    EXPECT_EQ(other.interactions, one.interactions);
  }
}

TEST(TreeForces, OddBodiesHaveForces) {
  const float heavy = 1e6F;
  auto uneven = plummer(3000);
  for (std::size_t i = 0; i < uneven.size(); i += 100) uneven.mass[i] *= heavy;
  auto far = plummer(3000);
  far.position[17] = {1e5F, 1e5F, -1e5F};
  auto light = plummer(3000);
  std::fill(light.mass.begin() + 500, light.mass.end(), 0.0F);
  for (auto* bodies : {&uneven, &far, &light}) {
    Evaluation evaluation{.bodies = *bodies};
    ASSERT_TRUE(evaluation.run());
    EXPECT_LT(evaluation.median(), 2e-3);
    EXPECT_LT(evaluation.errors()[evaluation.errors().size() * 9 / 10], 1e-2);
  }
  for (const std::size_t few : {1U, 2U, 3U, 17U}) {
    auto bodies = plummer(20);
    bodies.resize(few);
    Evaluation evaluation{.bodies = bodies};
    ASSERT_TRUE(evaluation.run());
    EXPECT_LT(evaluation.errors().back(), 1e-5) << few;
  }
}

/// In the middle of a line the pulls of both sides cancel to a thousandth: the error is one of the pulls.
TEST(TreeForces, PullsThatCancelLeaveTheErrorOfThePulls) {
  auto line = plummer(3000);
  for (std::size_t i = 0; i < line.size(); ++i)
    line.position[i] = {0.01F * static_cast<float>(i), 0.0F, 0.0F};
  Evaluation evaluation{.bodies = line};
  ASSERT_TRUE(evaluation.run());
  const double nearest = 1e4 * static_cast<double>(line.mass[0]);
  double largest = 0.0;
  for (std::size_t i = 0; i < line.size(); i += 7) {
    const auto exact = gravity_law.acceleration({line.position, line.velocity, line.mass, line.charge},
                                                {.softening_squared = 1e-4}, i, {0, line.size()});
    largest = std::max(largest, norm(DVec3(evaluation.acceleration[i]) - exact));
  }
  EXPECT_LT(largest, 1e-3 * nearest);
}

TEST(TreeForces, CoincidentBodiesWithoutSofteningAreFinite) {
  auto bodies = plummer(2000);
  for (std::size_t i = 0; i < 1000; ++i) bodies.position[i] = {0.5F, 0.0F, 0.0F};
  Evaluation evaluation{.bodies = bodies, .softening_squared = 0.0F};
  ASSERT_TRUE(evaluation.run());
  for (const auto& a : evaluation.acceleration) ASSERT_TRUE(is_finite(a));
  EXPECT_LT(evaluation.median(), 2e-3);
}

/// A shell around a dense core: a group of its bodies may have a box that holds the core.
TEST(TreeForces, AHaloAroundACoreStaysCheap) {
  auto bodies = plummer(30'000);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const float scale = (i % 30 == 0 ? 30.0F : 0.01F) / std::max(1e-6F, norm(bodies.position[i]));
    bodies.position[i] *= i % 30 == 0 ? scale : 0.01F;
  }
  Evaluation evaluation{.bodies = bodies, .softening_squared = 1e-8F};
  ASSERT_TRUE(evaluation.run());
  EXPECT_LT(evaluation.median(), 1e-3);
  EXPECT_LT(evaluation.interactions / 30'000.0, 4000.0);
}

TEST(TreeForces, StopsWhenInterrupted) {
  const std::atomic<bool> interrupt = true;
  Evaluation evaluation{.bodies = plummer(5000), .interrupt = &interrupt};
  EXPECT_FALSE(evaluation.run());
}

TEST(TreeForces, MomentumIsKeptToTheErrorOfTheForces) {
  Evaluation evaluation{.bodies = plummer(10'000)};
  ASSERT_TRUE(evaluation.run());
  DVec3 sum;
  double size = 0.0;
  for (std::size_t i = 0; i < evaluation.bodies.size(); ++i) {
    const auto pull = DVec3(evaluation.acceleration[i]) * static_cast<double>(evaluation.bodies.mass[i]);
    sum += pull;
    size += norm(pull);
  }
  EXPECT_LT(norm(sum), 5e-4 * size);
}

}  // namespace
}  // namespace orrery::sim
