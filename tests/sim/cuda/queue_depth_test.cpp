#include "sim/cuda/schedules/queue_depth.h"

#include <gtest/gtest.h>

namespace orrery::sim::cuda::test {
namespace {

TEST(QueueDepth, GrowsToItsLimitWhileTheGpuRunsDry) {
  QueueDepth depth;
  EXPECT_EQ(depth.ms(), QueueDepth::least_ms);
  depth.ran_dry();
  EXPECT_EQ(depth.ms(), 2.0 * QueueDepth::least_ms);
  for (int k = 0; k < 10; ++k) depth.ran_dry();
  EXPECT_EQ(depth.ms(), QueueDepth::most_ms);
}

TEST(QueueDepth, ShrinksOnlyAfterALongCalm) {
  QueueDepth depth;
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

}  // namespace
}  // namespace orrery::sim::cuda::test
