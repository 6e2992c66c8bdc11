#include "sim/cuda/schedules/work_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "kernel_testing.h"

namespace orrery::sim::cuda {
namespace {

std::vector<ForceSlice> slices_of(const std::vector<std::size_t>& sizes) {
  std::vector<ForceSlice> slices;
  std::size_t first = 0;
  for (const auto size : sizes) {
    slices.push_back({{first, first + size}, first, first + size});
    first += size;
  }
  return slices;
}

KernelConfiguration two_dimensional() { return kernel({"family=tiled-2d", "tiling=2:64:128"}); }

/// How often each body is a target of a block with `targets` threads.
std::map<std::size_t, int> visits(const std::vector<WorkItem>& items, std::size_t targets) {
  std::map<std::size_t, int> count;
  for (const auto& item : items) {
    for (std::size_t i = item.target; i < std::min<std::size_t>(item.target + targets, item.end); ++i)
      ++count[i];
  }
  return count;
}

const std::vector<std::size_t> ragged{1, 300, 64, 65, 2, 1000};

TEST(WorkTable, EveryBodyIsTheTargetOfOneThread) {
  const auto slices = slices_of(ragged);
  for (const int block : {32, 256, 1024}) {
    const auto table = work_table(kernel(), block, slices);
    const auto count = visits(table.forces, static_cast<std::size_t>(block));
    EXPECT_EQ(count.size(), slices.back().end);
    for (const auto& [body, times] : count) EXPECT_EQ(times, 1) << body;
    EXPECT_TRUE(table.sums.empty());
  }
}

TEST(WorkTable, SourcesAreTheGalaxyOfTheTarget) {
  const auto slices = slices_of(ragged);
  for (const auto& item : work_table(kernel(), 64, slices).forces) {
    EXPECT_GE(item.target, item.first);
    EXPECT_LT(item.target, item.last);
    EXPECT_NE(std::ranges::find_if(
                  slices,
                  [&](const auto& s) { return s.galaxy.first == item.first && s.galaxy.last == item.last; }),
              slices.end());
  }
}

TEST(WorkTable, InteractionsAddUp) {
  const auto slices = slices_of(ragged);
  double all = 0.0;
  for (const auto size : ragged) all += static_cast<double>(size * size);
  for (const auto& c : {kernel(), two_dimensional()}) {
    const auto table = work_table(c, 128, slices);
    ASSERT_EQ(table.interactions.size(), table.forces.size() + 1);
    EXPECT_DOUBLE_EQ(table.interactions.back(), all);
    EXPECT_TRUE(std::ranges::is_sorted(table.interactions));
  }
}

TEST(WorkTable, TheLargestGalaxiesComeFirst) {
  const auto table = work_table(kernel(), 64, slices_of(ragged));
  const auto size = [](const WorkItem& item) { return item.last - item.first; };
  EXPECT_TRUE(std::ranges::is_sorted(table.forces, std::ranges::greater{}, size));
}

TEST(WorkTable, PartialSumsDoNotOverlap) {
  const auto c = two_dimensional();
  const auto slices = slices_of(ragged);
  const auto table = work_table(c, 128, slices);
  std::map<std::size_t, std::size_t> begin_of;  // of a galaxy's sums, and their number
  std::size_t all = 0;
  for (const auto& slice : slices) {
    const auto reals =
        3 * c.family->batch(c, 0).partial_rows(c, slice.galaxy.size()) * (slice.end - slice.begin);
    all += reals;
    for (const auto& item : table.forces) {
      if (item.first == slice.galaxy.first) begin_of[item.scratch] = reals;
    }
  }
  EXPECT_EQ(table.scratch_reals, all);
  EXPECT_EQ(begin_of.size(), slices.size());
  std::size_t next = 0;
  for (const auto& [begin, reals] : begin_of) {
    EXPECT_EQ(begin, next);
    next = begin + reals;
  }
  for (const auto& [body, times] : visits(table.sums, adding_block)) EXPECT_EQ(times, 1) << body;
}

TEST(WorkTable, PartOfAGalaxyKeepsAllItsSources) {
  // Bodies 100 to 150 of a galaxy of 300, as one of several devices has it.
  const std::vector<ForceSlice> part{{{0, 300}, 100, 150}};
  const auto table = work_table(kernel(), 32, part);
  EXPECT_EQ(table.forces.size(), 2U);
  EXPECT_EQ(table.interactions.back(), 50.0 * 300.0);
  for (const auto& item : table.forces) {
    EXPECT_EQ(item.first, 0U);
    EXPECT_EQ(item.last, 300U);
    EXPECT_EQ(item.end, 150U);
  }
}

}  // namespace
}  // namespace orrery::sim::cuda
