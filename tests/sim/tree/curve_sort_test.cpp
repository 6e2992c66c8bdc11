#include "sim/tree/curve_sort.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

#include "sim/tree/curve_grid.h"

namespace orrery::sim {
namespace {

using Keys = std::vector<std::uint64_t>;

void expect_sorted_like_the_library(const Keys& keys, const char* what) {
  std::vector<KeyedIndex> items, scratch(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) items.push_back({keys[i], static_cast<std::uint32_t>(i)});
  auto expected = items;
  std::ranges::stable_sort(expected, {}, &KeyedIndex::key);
  sort_run(items, scratch);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    ASSERT_EQ(items[i].key, expected[i].key) << what << " at " << i;
    ASSERT_EQ(items[i].index, expected[i].index) << what << " at " << i << ": not stable";
  }
}

TEST(SortRun, SortsAsTheLibraryDoes) {
  std::mt19937_64 random(7);
  for (const std::size_t count : {0U, 1U, 2U, 24U, 25U, 1000U, 30'000U}) {
    Keys even(count), few(count), same(count, 5), crowded(count), wide(count);
    for (std::size_t i = 0; i < count; ++i) {
      even[i] = random() >> 1U;
      few[i] = random() % 7;
      // All but one in a small part of the range, in a smaller part of which most are, and so on.
      crowded[i] = i == count / 2 ? ~std::uint64_t{0} : (random() >> (random() % 64));
      wide[i] = i % 2 == 0 ? 0 : ~std::uint64_t{0};
    }
    expect_sorted_like_the_library(even, "even");
    expect_sorted_like_the_library(few, "few");
    expect_sorted_like_the_library(same, "same");
    expect_sorted_like_the_library(crowded, "crowded");
    expect_sorted_like_the_library(wide, "wide");
  }
}

struct Cloud {
  std::vector<Vec3> position;
  std::vector<float> mass;
};

/// Denser in the middle; the last third in one place.
Cloud cloud(std::size_t bodies) {
  std::mt19937 random(3);
  std::normal_distribution<float> normal;
  Cloud result;
  for (std::size_t i = 0; i < bodies; ++i) {
    const float size = 3 * i > 2 * bodies ? 0.0F : std::exp(3.0F * normal(random));
    result.position.push_back({size * normal(random), size * normal(random), size * normal(random)});
    result.mass.push_back(static_cast<float>(i));
  }
  return result;
}

/// Keys and bodies as the library sorts them.
template <typename Grid>
std::vector<KeyedIndex> sorted_keys(const Cloud& bodies, const Grid& grid) {
  std::vector<KeyedIndex> keys;
  for (std::size_t i = 0; i < bodies.position.size(); ++i)
    keys.push_back({grid.key(bodies.position[i]), static_cast<std::uint32_t>(i)});
  std::ranges::stable_sort(keys, {}, &KeyedIndex::key);
  return keys;
}

void expect_curve(const Cloud& bodies, const CurveBodies& sorted, const char* what) {
  const auto expected = sorted_keys(bodies, CurveGrid(box_around(bodies.position)));
  ASSERT_EQ(sorted.order.size(), expected.size()) << what;
  for (std::size_t k = 0; k < expected.size(); ++k) {
    const std::size_t i = expected[k].index;
    ASSERT_EQ(sorted.order[k], i) << what;
    ASSERT_EQ(sorted.keys[k].index, i) << what;
    ASSERT_EQ(sorted.keys[k].key, expected[k].key) << what;
    ASSERT_EQ(sorted.position[k], bodies.position[i]) << what;
    ASSERT_EQ(sorted.mass[k], bodies.mass[i]) << what;
  }
}

TEST(CurveSort, GivesTheOrderOfTheCurveForAnyThreads) {
  CurveSort sort;
  CurveBodies sorted;
  // The memory of a larger sort is used again.
  for (const std::size_t count : {100'000U, 1U, 2000U, 50'001U}) {
    const auto bodies = cloud(count);
    for (const int threads : {1, 2, 7}) {
      sort.sort(bodies.position, bodies.mass, CurveGrid(box_around(bodies.position)), threads, sorted);
      expect_curve(bodies, sorted, (std::to_string(count) + " bodies").c_str());
    }
  }
}

TEST(CurveOrder, IsThatOfTheKeysOfEitherGrid) {
  for (const std::size_t count : {1U, 1000U, 70'000U}) {
    const auto bodies = cloud(count);
    const auto expect = [&](const auto& grid) {
      for (const int threads : {1, 3}) {
        const auto order = curve_order(bodies.position, grid, threads);
        EXPECT_TRUE(std::ranges::equal(order, sorted_keys(bodies, grid), {}, {}, &KeyedIndex::index))
            << count;
      }
    };
    expect(CurveGrid(box_around(bodies.position)));
    expect(EvenGrid(bodies.position));
  }
  EXPECT_TRUE(curve_order({}, EvenGrid(), 2).empty());
}

TEST(BoxAround, IsTheSameOnSeveralThreads) {
  const auto bodies = cloud(70'000);
  const Box one = box_around(bodies.position), many = box_around(bodies.position, 5);
  EXPECT_EQ(one.least, many.least);
  EXPECT_EQ(one.most, many.most);
}

}  // namespace
}  // namespace orrery::sim
