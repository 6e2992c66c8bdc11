#include "lab/bench/rates.h"

#include <gtest/gtest.h>

#include <vector>

#include "lab/bench/switch_watch.h"
#include "lab/setup/load_watch.h"

namespace orrery::lab {
namespace {

using namespace std::chrono_literals;
using Says = Factor::Says;

Factor factor(const MeasuredSpeed& before, const MeasuredSpeed& after) { return {before, after}; }

TEST(Spread, IsThatOfTheMiddleHalf) {
  std::vector<double> times{1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 9.0};
  const auto calm = spread_of_times(times);
  EXPECT_DOUBLE_EQ(calm.low, 1.0) << "one late step is not the spread";
  EXPECT_DOUBLE_EQ(calm.high, 1.0);
  std::vector<double> wide{1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 4.0, 4.0, 4.0};
  const auto spread = spread_of_times(wide);
  EXPECT_NEAR(spread.low, 0.5, 1e-12) << "speeds: a long time is a low one";
  EXPECT_NEAR(spread.high, 2.0, 1e-12);
  std::vector<double> one{3.0};
  EXPECT_LT(spread_of_times(one).low, 0.95) << "one time alone says nothing of it";
  EXPECT_DOUBLE_EQ(spread_of_times({}).low, 1.0);
}

TEST(FactorTest, BeyondTheSpreadItCounts) {
  const auto faster = factor({2.0, {0.95, 1.05}}, {8.0, {0.95, 1.05}});
  EXPECT_EQ(faster.says(), Says::faster);
  EXPECT_EQ(faster.text(), "x4.00");
  EXPECT_TRUE(faster.counts());
  const auto slower = factor({8.0, {0.95, 1.05}}, {4.0, {0.95, 1.05}});
  EXPECT_EQ(slower.says(), Says::slower);
  EXPECT_DOUBLE_EQ(slower.value(), 0.5);
}

TEST(FactorTest, WithinTheSpreadThereIsNoDifference) {
  const auto same = factor({2.0, {0.9, 1.1}}, {2.3, {0.9, 1.1}});
  EXPECT_EQ(same.says(), Says::no_difference);
  EXPECT_EQ(same.text(), "no difference");
  EXPECT_FALSE(same.counts());
  EXPECT_EQ(factor({2.0, {}}, {2.01, {}}).says(), Says::no_difference) << "half a per cent is never one";
}

/// A switch of the map, which computes nothing, was praised with x3.55.
TEST(FactorTest, OnABusyMachineOnlyALargeOneIsSaid) {
  const auto noise = factor({1.0, {0.95, 1.05}, true}, {3.55, {0.95, 1.05}});
  EXPECT_EQ(noise.says(), Says::machine_busy);
  EXPECT_EQ(noise.text(), "machine busy");
  const auto large = factor({1.0, {0.95, 1.05}, true}, {12.0, {0.95, 1.05}, true});
  EXPECT_EQ(large.says(), Says::faster);
  EXPECT_TRUE(large.is_rough());
  EXPECT_EQ(large.text(), "about x12");
  const auto unsteady = factor({1.0, {0.6, 1.4}}, {1.2, {0.95, 1.05}});
  EXPECT_EQ(unsteady.says(), Says::machine_busy)
      << "such times are of a machine that does something else too";
}

TEST(FactorTest, WhatWasNotMeasuredHasNone) {
  EXPECT_EQ(factor({}, {2.0, {}}).says(), Says::unknown);
  EXPECT_TRUE(factor({2.0, {}}, {}).text().empty());
}

TEST(FactorTest, VariantsOfOtherInteractionsAreComparedByTime) {
  MeasuredVariant pairs{.gips = 1.0, .seconds = 1.0}, tree{.gips = 0.5, .seconds = 0.02};
  const auto by_time = factor_of(pairs, tree);
  EXPECT_DOUBLE_EQ(by_time.value(), 50.0);
  tree.seconds = 2.0;
  EXPECT_DOUBLE_EQ(factor_of(pairs, tree).value(), 0.5) << "as many interactions: by the rates";
}

/// A machine of two cores, on which others do as much as is set.
class LoadTest : public testing::Test {
 protected:
  LoadWatch watch() {
    return LoadWatch([this] { return times; });
  }
  /// Seconds of core time that they use per second.
  void pass(LoadWatch& watch, double own, double others) {
    now += 1s;
    times->own += own;
    times->busy += own + others;
    times->idle += 2.0 - own - others;
    watch.update(now);
  }

  std::optional<ProcessorTimes> times = ProcessorTimes{};
  LoadWatch::Clock::time_point now{};
};

TEST_F(LoadTest, OthersThatTakeProcessorsMakeItBusy) {
  auto load = watch();
  load.update(now);
  EXPECT_FALSE(load.load()) << "one look says nothing";
  pass(load, 1.9, 0.05);
  ASSERT_TRUE(load.load());
  EXPECT_FALSE(load.busy()) << "the load is its own";
  pass(load, 1.0, 0.9);
  EXPECT_TRUE(load.busy());
  EXPECT_NEAR(load.load()->processors, 0.9, 1e-9);
  pass(load, 0.5, 0.6);
  EXPECT_FALSE(load.busy()) << "there is a core for both";
}

TEST_F(LoadTest, ShortTimesAreNotLookedAt) {
  auto load = watch();
  load.update(now);
  pass(load, 1.0, 1.0);
  EXPECT_TRUE(load.busy());
  now += 50ms;
  times->idle += 10.0;
  load.update(now);
  EXPECT_TRUE(load.busy()) << "as it was found last";
}

TEST_F(LoadTest, WithoutTheSystemsNumbersNothingIsKnown) {
  times.reset();
  auto load = watch();
  load.update(now);
  now += 1s;
  load.update(now);
  EXPECT_FALSE(load.load());
  EXPECT_FALSE(load.busy());
  EXPECT_FALSE(read_processor_times("/nonexistent/stat"));
}

}  // namespace
}  // namespace orrery::lab
