#include "sim/cuda/families/split_sources.h"

#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "kernel_testing.h"
#include "sim/cuda/families/tensor_families.h"
#include "sim/cuda/families/tensor_shapes.h"

namespace orrery::sim::cuda {
namespace {

/// Bytes of scratch memory of a family.
std::size_t scratch_bytes(const KernelConfiguration& c, std::size_t sources, std::size_t targets) {
  return c.family->scratch.bytes == nullptr ? 0 : c.family->scratch.bytes(c, sources, targets);
}

/// Targets of a block of the family tensor with its usual shape.
constexpr std::size_t covered = 128 / 32 * 3 * 16;

class SourceSplits : public testing::TestWithParam<std::tuple<std::size_t, std::size_t, int>> {};

TEST_P(SourceSplits, RangesCoverTheSourcesOnceAndFitTheScratchMemory) {
  const auto [sources, grain, asked] = GetParam();
  const auto c = kernel({"family=register-split", "split=" + std::to_string(asked)});
  const auto split = split_sources(
      asked, {.sources = sources, .columns = (sources + 511) / 512, .multiprocessors = 132, .grain = grain});
  EXPECT_EQ(split.range % grain, 0U);
  EXPECT_GE(split.rows * split.range, sources);
  EXPECT_LT((split.rows - 1) * split.range, sources);  // no row is empty
  EXPECT_LE(split.rows, most_rows_of_sources(asked, sources));
  EXPECT_GE(scratch_bytes(c, sources, sources), split.rows * sources * 12);
}

INSTANTIATE_TEST_SUITE_P(
    Sizes, SourceSplits,
    testing::Combine(testing::Values<std::size_t>(1, 7, 255, 256, 257, 4099, 16384, 131072, 3000017),
                     testing::Values<std::size_t>(8, 256), testing::Values(0, 1, 3, 64)));

TEST(SourceSplit, SmallGalaxiesAreCutUntilTheyFillTheGpu) {
  const auto blocks = [&](std::size_t sources, std::size_t columns) {
    return split_sources(0, {.sources = sources, .columns = columns, .multiprocessors = 132, .grain = 8})
               .rows *
           columns;
  };
  EXPECT_GT(blocks(16384, 32), 500U);
  EXPECT_GT(blocks(131072, 256), 500U);
  // Too few sources for so many ranges.
  EXPECT_EQ(blocks(8, 1), 1U);
}

// What sweeps on an H200 found best, or within 1 % of it (sim/cuda/families/split_sources.cpp).
TEST(SourceSplit, ChoosesWhatWasMeasuredBest) {
  const auto split = [](std::size_t bodies, std::size_t targets_of_block) {
    return split_sources(0, {.sources = bodies,
                             .columns = (bodies + targets_of_block - 1) / targets_of_block,
                             .multiprocessors = 132,
                             .grain = 8,
                             .whole = 256});
  };
  const auto range = [&](std::size_t bodies) { return split(bodies, 512).range; };
  EXPECT_EQ(range(4096), 256U);
  EXPECT_LE(range(8192), 512U);
  EXPECT_EQ(range(16384), 512U);
  // With blocks of 256 threads: 33 rows of 128 blocks are 32 for each of 132 multiprocessors.
  EXPECT_EQ(split(131072, 1024).rows, 33U);
  // tensor-pairs: tiles of 256 meet half of the others.
  const auto tiles = [](std::size_t count) {
    return split_sources(0, {.sources = (count + 1) * 128,
                             .columns = count,
                             .multiprocessors = 132,
                             .grain = 256,
                             .saturating = 2.5,
                             .row_cost = 1.5})
        .rows;
  };
  EXPECT_EQ(tiles(16), 9U);
  EXPECT_EQ(tiles(32), 17U);
  EXPECT_GE(tiles(64), 17U);
}

TEST(SourceSplit, OnlyTheFamiliesThatSplitNeedScratchMemory) {
  EXPECT_EQ(scratch_bytes(kernel({"family=tiled"}), 1000, 1000), 0U);
  EXPECT_GT(scratch_bytes(kernel({"family=tensor"}), 1000, 1000), 0U);
}

TEST(SourceSplit, PairsHaveScratchMemoryForAllBodiesWhateverTheSlice) {
  const auto c = kernel({"family=tensor-pairs"});
  EXPECT_EQ(scratch_bytes(c, 100000, 5000), scratch_bytes(c, 100000, 100000));
  const auto layout = tensor_scratch(100000, 100000, tensor::staged_sources);
  EXPECT_GE(layout.mark_words * 32, (100000 / 16) * (100000 / 64));
  EXPECT_GE(scratch_bytes(c, 100000, 5000), layout.partials + 32 * 100000);
}

TEST(SourceSplit, MarksHaveABitForEverySixteenTargetsAndSixtyFourSources) {
  const auto layout = tensor_scratch(100000, 5000, covered);
  EXPECT_GE(layout.mark_words * 32, (5000 / 16 + 1) * (100000 / 64));
  EXPECT_EQ(layout.marks % 256, 0U);
  EXPECT_GE(layout.partials, layout.marks + 4 * layout.mark_words);
}

}  // namespace
}  // namespace orrery::sim::cuda
