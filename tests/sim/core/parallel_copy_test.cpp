#include "sim/core/parallel_copy.h"

#include <gtest/gtest.h>

#include <numeric>

namespace orrery::sim {
namespace {

TEST(ParallelCopy, IsACopyForAnyThreads) {
  for (const std::size_t count : {0U, 1U, 19'999U, 100'003U}) {
    std::vector<int> from(count);
    std::iota(from.begin(), from.end(), 1);
    for (const int threads : {0, 1, 3, 8}) {
      std::vector<int> shorter(count / 2, -1), longer(count + 7, -1);
      copy_to(shorter, from, threads);
      copy_to(longer, from, threads);
      EXPECT_EQ(shorter, from);
      EXPECT_EQ(longer, from);
    }
  }
}

}  // namespace
}  // namespace orrery::sim
