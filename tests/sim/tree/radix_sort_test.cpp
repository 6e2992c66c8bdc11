#include "sim/tree/radix_sort.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace orrery::sim {
namespace {

std::vector<KeyedIndex> random_items(std::size_t count, std::uint64_t mask) {
  std::mt19937_64 random(7);
  std::vector<KeyedIndex> items(count);
  for (std::size_t i = 0; i < count; ++i) items[i] = {random() & mask, static_cast<std::uint32_t>(i)};
  return items;
}

void expect_sorted_like_the_library(std::size_t count, std::uint64_t mask) {
  auto expected = random_items(count, mask);
  std::ranges::stable_sort(expected, {}, &KeyedIndex::key);
  for (const int threads : {1, 2, 5}) {
    auto items = random_items(count, mask);
    std::vector<KeyedIndex> scratch;
    sort_by_key(items, scratch, threads);
    ASSERT_EQ(items.size(), count);
    for (std::size_t i = 0; i < count; ++i) {
      ASSERT_EQ(items[i].key, expected[i].key) << "threads " << threads;
      ASSERT_EQ(items[i].index, expected[i].index) << "threads " << threads << ": not stable";
    }
  }
}

TEST(RadixSort, SortsAsTheLibraryDoes) {
  expect_sorted_like_the_library(100'000, ~std::uint64_t{0});
  expect_sorted_like_the_library(0, ~std::uint64_t{0});
  expect_sorted_like_the_library(1, ~std::uint64_t{0});
}

TEST(RadixSort, KeepsTheOrderOfOneKey) {
  expect_sorted_like_the_library(50'000, 0x7);
  expect_sorted_like_the_library(40'000, 0);
  expect_sorted_like_the_library(70'000, std::uint64_t{0xF} << 60U);
}

}  // namespace
}  // namespace orrery::sim
