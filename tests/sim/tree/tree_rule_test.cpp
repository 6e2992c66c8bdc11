#include <limits>

#include "sim/core/random.h"
#include "sim/galaxies/model.h"
#include "sim/options/tree_options.h"
#include "tests/sim/engines/engine_cases.h"
#include "tests/sim/tree/both_walks.h"
#include "tests/sim/tree/tree_rule.h"

/// The rule for cells, their moments and the series of a group, by what they do to forces: the same for the
/// walk of the CPU and for that of the GPU, whose kernels an emulator runs.
namespace orrery::sim {
namespace {

constexpr float softening_squared = 1e-4F;

Bodies sphere(std::size_t bodies) { return make_galaxy("plummer", {.bodies = bodies, .seed = 3}).bodies; }

class TreeRule : public testing::TestWithParam<checks::TreeWalkKind> {
 protected:
  struct Result {
    std::vector<double> errors;
    double interactions = 0.0;

    double median() const { return errors[errors.size() / 2]; }
    double p99() const { return errors[errors.size() * 99 / 100]; }
    double largest() const { return errors.back(); }
  };
  static Result evaluate(const Bodies& bodies, const TreeSettings& settings, std::size_t stride = 7) {
    const auto forces = GetParam().forces(bodies, settings, softening_squared);
    return {checks::errors_of(bodies, forces, softening_squared, stride), forces.interactions};
  }
  /// A median that is not above the stated one.
  static double median_of(const Bodies& bodies, const TreeSettings& settings) {
    const double median = evaluate(bodies, settings).median();
    EXPECT_LT(median, stated_error(settings).median) << settings.alpha << ' ' << settings.theta;
    return median;
  }
};

INSTANTIATE_TEST_SUITE_P(Walks, TreeRule, testing::Values(checks::cpu_walk, checks::gpu_walk),
                         [](const auto& each) { return std::string(each.param.name); });

TEST_P(TreeRule, MedianAndTailAreSmallForEveryModel) {
  for (const char* model : {"plummer", "disk", "collision"}) {
    const auto result = evaluate(make_galaxy(model, {.bodies = 6007, .seed = 1}).bodies, {});
    EXPECT_LT(result.median(), 1e-3) << model;
    EXPECT_LT(result.p99(), 1e-2) << model;
    EXPECT_LT(result.largest(), 1e-1) << model;
    EXPECT_GT(result.median(), 1e-6) << model << ": no cell was taken as a whole";
    EXPECT_LT(result.interactions, 0.5 * 6007 * 6007) << model;
  }
}

/// From 32 768 bodies on cells are compared with most of a group, not with its nearest body. Where that rule
/// begins it needs no more sums for no larger error.
TEST_P(TreeRule, TheOneForManyBodiesBeginsWhereTheOtherEnds) {
  constexpr std::size_t few = 32'000, many = 33'000;
  for (const char* model : {"plummer", "disk"}) {
    const auto at = [&](std::size_t bodies) {
      return evaluate(make_galaxy(model, {.bodies = bodies, .seed = 1}).bodies, {}, 20);
    };
    const auto before = at(few), after = at(many);
    EXPECT_LT(after.median(), 1.25 * before.median()) << model;
    EXPECT_LT(after.p99(), 5e-3) << model;
    EXPECT_LT(after.largest(), 5e-2) << model;
    EXPECT_LT(after.interactions / many, 1.03 * before.interactions / few) << model;
  }
}

TEST_P(TreeRule, WithoutOpeningEveryPairIsSummed) {
  for (const bool relative : {true, false}) {
    const auto result = evaluate(sphere(1501), {.relative = relative, .alpha = 0.0, .theta = 0.0});
    EXPECT_LT(result.largest(), 2e-5);
    EXPECT_EQ(result.interactions, 1501.0 * 1501.0);
  }
}

/// The error falls with the tolerance, as far as the order of the cells' series says: what second moments
/// leave out is of third order in size over distance, a wrong or missing moment of second.
/// Clumps of pairs that nearly touch, of which none fills whole groups: some groups take the rest of one
/// clump and the start of the next, and their boxes are ten million times as wide as a pair.
Bodies clumps_of_pairs() {
  Random random(5);
  Bodies bodies;
  bodies.resize(3 * 2 * 331);
  std::ranges::fill(bodies.mass, 1e-3F);
  auto place = bodies.position.begin();
  const auto within = [&](double size) { return static_cast<float>(size * (2.0 * random.uniform() - 1.0)); };
  for (const Vec3& clump :
       {Vec3{-4.0F, -33.0F, -11.0F}, Vec3{20.0F, 14.0F, -7.0F}, Vec3{30.0F, -20.0F, 25.0F}}) {
    for (int pair = 0; pair < 331; ++pair) {
      const Vec3 one = clump + Vec3{within(0.1), within(0.1), within(0.1)};
      *place++ = one;
      *place++ = one + Vec3{within(6e-6), within(6e-6), within(6e-6)};
    }
  }
  return bodies;
}

TEST_P(TreeRule, PairsKeepTheirDistanceInWideGroups) {
  constexpr float close = 3.5e-4F * 3.5e-4F;
  const auto bodies = clumps_of_pairs();
  const auto largest = [&](const TreeSettings& settings) {
    return checks::errors_of(bodies, GetParam().forces(bodies, settings, close), close, 1).back();
  };
  EXPECT_LT(largest({.alpha = 0.0}), 1e-5);
  EXPECT_LT(largest({}), stated_error({}).p99);
}

TEST_P(TreeRule, SmallerOpeningsGiveSmallerErrors) {
  const auto bodies = sphere(6007);
  EXPECT_LT(median_of(bodies, {.alpha = 0.001}), 0.5 * median_of(bodies, {.alpha = 0.01}));
  EXPECT_LT(median_of(bodies, {.alpha = 1e-5}), 3e-5);
  const double coarse = median_of(bodies, {.relative = false, .theta = 0.9});
  EXPECT_GT(std::log2(coarse / median_of(bodies, {.relative = false, .theta = 0.45})), 2.4);
}

/// A mass alone leaves out the second order.
TEST_P(TreeRule, MonopolesErrByTheSecondOrder) {
  const auto bodies = sphere(6007);
  const auto median = [&](double theta) {
    return median_of(bodies, {.relative = false, .theta = theta, .order = CellOrder::monopole});
  };
  EXPECT_NEAR(std::log2(median(0.9) / median(0.45)), 2.0, 0.5);
  for (const double alpha : {0.01, 0.001, 1e-4}) {
    const TreeSettings settings{.alpha = alpha, .order = CellOrder::monopole};
    EXPECT_GT(median_of(bodies, settings), 0.05 * stated_error(settings).median) << alpha;
  }
}

/// A wrong sign of third moments would make errors larger than without them.
TEST_P(TreeRule, OctupolesErrLessAtTheSameAngle) {
  const auto bodies = sphere(6007);
  for (const bool series : {false, true}) {
    for (const double theta : {0.9, 0.5}) {
      TreeSettings settings{.relative = false, .theta = theta, .far_series = series};
      const double second = median_of(bodies, settings);
      settings.order = CellOrder::octupole;
      EXPECT_LT(median_of(bodies, settings), (series ? 0.85 : 0.7) * second) << theta;
    }
  }
}

/// By the relative rule cells may do without their third moments.
TEST_P(TreeRule, OctupolesKeepTheErrorWithFewerSums) {
  const auto bodies = sphere(9001);
  for (const double alpha : {1e-3, 1e-4, 2e-5}) {
    const TreeSettings settings{.alpha = alpha, .order = CellOrder::octupole};
    const auto second = evaluate(bodies, {.alpha = alpha}), third = evaluate(bodies, settings);
    EXPECT_LT(third.median(), stated_error(settings).median) << alpha;
    EXPECT_LT(third.median(), 2.0 * second.median()) << alpha;
    EXPECT_LT(third.interactions, second.interactions) << alpha;
  }
}

/// A group's series adds an error of its own, which is small.
TEST_P(TreeRule, FarCellsOneByOneErrNoMore) {
  const auto bodies = sphere(6007);
  const auto series = evaluate(bodies, {}), each = evaluate(bodies, {.far_series = false});
  EXPECT_GT(each.interactions, series.interactions);
  EXPECT_NEAR(each.median(), series.median(), 0.3 * series.median());
}

TEST_P(TreeRule, GalaxiesDoNotFeelEachOther) {
  EXPECT_LT(evaluate(checks::ragged_bodies(2003, 5), {}).median(), 2e-3);
}

TEST_P(TreeRule, MassesAMillionApart) {
  auto bodies = sphere(3001);
  Random random(9);
  for (auto& mass : bodies.mass) mass = static_cast<float>(std::pow(10.0, -6.0 * random.uniform()));
  EXPECT_LT(evaluate(bodies, {}).median(), 1e-3);
  bodies.mass[77] = 1e6F;
  EXPECT_LT(evaluate(bodies, {}).median(), 1e-3);
  for (std::size_t i = 0; i < bodies.size(); i += 2) bodies.mass[i] = 0.0F;
  EXPECT_LT(evaluate(bodies, {}).median(), 1e-3);
}

/// The arithmetic itself, which both walks are compiled with.
TEST(TreeRuleOfNumbers, ACellIsFarWhereBothDistancesAre) {
  using namespace tree_rule;
  EXPECT_EQ(outside(1.5F, 2.0F, 3.0F), 0.5F);
  EXPECT_EQ(outside(2.5F, 2.0F, 3.0F), 0.0F);
  EXPECT_EQ(outside(3.5F, 2.0F, 3.0F), 0.5F);
  const auto rule = [](double most_times) { return CellRule{.most_times = most_times}; };
  EXPECT_EQ(distance_that_counts(rule(3.0), 9.0F, 4.0F), 9.0F);
  EXPECT_EQ(distance_that_counts(rule(2.0), 9.0F, 4.0F), 8.0F);
  EXPECT_TRUE(is_far_enough(CellRule{}, 2.0F, 4.0F, 1.0F, 3.0F));
  EXPECT_FALSE(is_far_enough(CellRule{}, 1.0F, 4.0F, 1.0F, 3.0F)) << "a body of the group may be in the cell";
  EXPECT_FALSE(is_far_enough(CellRule{}, 2.0F, 3.0F, 1.0F, 3.0F)) << "it leaves out too much";
  EXPECT_FALSE(is_far_enough(CellRule{}, 2.0F, 4.0F, 1.0F, std::numeric_limits<float>::infinity()));
}

TEST(TreeRuleOfNumbers, MomentsAreContractedAsFullTensors) {
  using namespace tree_rule;
  const float n[3] = {0.5F, -2.0F, 3.0F}, q[6] = {1, 2, 3, 4, 5, 6};
  const auto second = pull_of_second(q, n);
  EXPECT_EQ(second.across[0], 0.5F * 1 - 2 * 2 + 3 * 3);
  EXPECT_EQ(second.across[1], 0.5F * 2 - 2 * 4 + 3 * 5);
  EXPECT_EQ(second.across[2], 0.5F * 3 - 2 * 5 + 3 * 6);
  EXPECT_EQ(second.inner, 0.5F * second.across[0] - 2 * second.across[1] + 3 * second.across[2]);
  // xxx, xxy, xxz, xyy, xyz, yyy, yyz; those with two z by the traces.
  const float t[9] = {1, 2, 3, 4, 5, 6, 7, -(1 + 4), -(2 + 6)};
  const float zzz = -(t[2] + t[6]);
  const float full[3][3][3] = {{{t[0], t[1], t[2]}, {t[1], t[3], t[4]}, {t[2], t[4], t[7]}},
                               {{t[1], t[3], t[4]}, {t[3], t[5], t[6]}, {t[4], t[6], t[8]}},
                               {{t[2], t[4], t[7]}, {t[4], t[6], t[8]}, {t[7], t[8], zzz}}};
  const auto third = pull_of_third(t, n);
  float inner = 0.0F;
  for (int i = 0; i < 3; ++i) {
    float sum = 0.0F;
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) sum += full[i][j][k] * n[j] * n[k];
    EXPECT_FLOAT_EQ(third.across[i], sum) << i;
    inner += sum * n[i];
  }
  EXPECT_FLOAT_EQ(third.inner, inner);
}

}  // namespace
}  // namespace orrery::sim
