#include "sim/cuda/source_split.h"

#include <gtest/gtest.h>

#include <tuple>

namespace orrery::sim::cuda {
namespace {

KernelConfiguration family(const char* name, int split = 0) {
  KernelConfiguration c;
  c.family = name;
  c.split = split;
  return c;
}

class SourceSplits : public testing::TestWithParam<std::tuple<std::size_t, std::size_t, int>> {};

TEST_P(SourceSplits, RangesCoverTheSourcesOnceAndFitTheScratchMemory) {
  const auto [sources, grain, asked] = GetParam();
  const auto c = family("register-split", asked);
  const auto split = split_sources(
      c, {.sources = sources, .columns = (sources + 511) / 512, .resident = 132 * 6, .grain = grain});
  EXPECT_EQ(split.range % grain, 0U);
  EXPECT_GE(split.rows * split.range, sources);
  EXPECT_LT((split.rows - 1) * split.range, sources);  // no row is empty
  EXPECT_LE(split.rows, most_rows_of_sources(c, sources));
  EXPECT_GE(split_scratch_bytes(c, sources, sources), split.rows * sources * 12);
}

INSTANTIATE_TEST_SUITE_P(
    Sizes, SourceSplits,
    testing::Combine(testing::Values<std::size_t>(1, 7, 255, 256, 257, 4099, 16384, 131072, 3000017),
                     testing::Values<std::size_t>(8, 256), testing::Values(0, 1, 3, 64)));

TEST(SourceSplit, SmallGalaxiesAreCutUntilTheyFillTheGpu) {
  const auto c = family("register-split");
  const auto blocks = [&](std::size_t sources, std::size_t columns) {
    return split_sources(c, {.sources = sources, .columns = columns, .resident = 792, .grain = 8}).rows *
           columns;
  };
  EXPECT_GT(blocks(16384, 32), 700U);
  EXPECT_GT(blocks(131072, 256), 700U);
  // Too few sources for so many ranges.
  EXPECT_EQ(blocks(8, 1), 1U);
}

TEST(SourceSplit, OnlyTheFamiliesThatSplitNeedScratchMemory) {
  EXPECT_EQ(split_scratch_bytes(family("tiled"), 1000, 1000), 0U);
  auto atomic = family("register-split");
  atomic.atomic_sum = true;
  EXPECT_EQ(split_scratch_bytes(atomic, 1000, 1000), 0U);
  EXPECT_GT(split_scratch_bytes(family("tensor"), 1000, 1000), 0U);
}

TEST(SourceSplit, MarksHaveABitForEverySixteenTargetsAndSixtyFourSources) {
  const auto c = family("tensor");
  const auto layout = tensor_scratch(c, 100000, 5000);
  EXPECT_GE(layout.mark_words * 32, (5000 / 16 + 1) * (100000 / 64));
  EXPECT_EQ(layout.marks % 256, 0U);
  EXPECT_GE(layout.partials, layout.marks + 4 * layout.mark_words);
}

}  // namespace
}  // namespace orrery::sim::cuda
