
#include <gtest/gtest.h>

#include "sim/cuda/schedules/work_queue.h"

namespace orrery::sim::cuda::test {
namespace {

TEST(QueueDepth, GrowsToItsLimitWhileTheGpuRunsDry) {
  QueueDepth depth;
  depth.was_enough();
  EXPECT_EQ(depth.ms(), QueueDepth::least_ms);
  depth.ran_dry();
  EXPECT_EQ(depth.ms(), QueueDepth::least_ms) << "once is chance";
  depth.ran_dry();
  EXPECT_EQ(depth.ms(), 2.0 * QueueDepth::least_ms);
  for (int k = 0; k < 10; ++k) depth.ran_dry();
  EXPECT_EQ(depth.ms(), QueueDepth::most_ms);
}

TEST(QueueDepth, ShrinksOnlyAfterALongCalm) {
  QueueDepth depth;
  depth.was_enough();
  depth.ran_dry();
  depth.ran_dry();
  for (int k = 0; k < 10; ++k) depth.was_enough();
  EXPECT_GT(depth.ms(), QueueDepth::least_ms);
  depth.ran_dry();
  const double high = depth.ms();
  for (int k = 0; k < 999; ++k) depth.was_enough();
  EXPECT_EQ(depth.ms(), high);
  for (int k = 0; k < 3000; ++k) depth.was_enough();
  EXPECT_EQ(depth.ms(), QueueDepth::least_ms);
}

/// The first launches after a rest are done before the next are there. A queue that grew by that delayed each
/// frame.
TEST(QueueDepth, AGpuThatRestedMayRunDryUntilThereIsEnoughAgain) {
  QueueDepth depth;
  for (int frame = 0; frame < 5; ++frame) {
    depth.rest();
    depth.ran_dry();
    depth.ran_dry();
    depth.was_enough();
  }
  EXPECT_EQ(depth.ms(), QueueDepth::least_ms);
  depth.ran_dry();
  depth.ran_dry();
  EXPECT_GT(depth.ms(), QueueDepth::least_ms);
}

/// A host that is held up now and then makes nobody wait for a longer queue.
TEST(QueueDepth, DoesNotGrowForWhatIsRare) {
  QueueDepth depth;
  const auto refill = [&](int times) {
    for (int k = 0; k < times; ++k) depth.was_enough();
  };
  refill(2);
  for (int k = 0; k < 50; ++k) {
    depth.ran_dry();
    refill(600);
  }
  EXPECT_EQ(depth.ms(), QueueDepth::least_ms);
  for (int k = 0; k < 5; ++k) depth.ran_dry();
  EXPECT_EQ(depth.ms(), QueueDepth::most_ms);
  // One that has become rare does not keep it long either.
  for (int k = 0; k < 20; ++k) {
    refill(600);
    depth.ran_dry();
  }
  EXPECT_EQ(depth.ms(), QueueDepth::least_ms);
}

TEST(RecentRates, TheBestOfTheLastFourCounts) {
  RecentRates rates;
  EXPECT_EQ(rates.best(), 0.0);
  for (const double rate : {9.0, 2.0, 3.0, 4.0}) rates.add(rate);
  EXPECT_EQ(rates.best(), 9.0);
  rates.add(1.0);
  EXPECT_EQ(rates.best(), 4.0);
  rates.forget();
  EXPECT_EQ(rates.best(), 0.0);
}

}  // namespace
}  // namespace orrery::sim::cuda::test
