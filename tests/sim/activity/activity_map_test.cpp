#include "sim/activity/activity_map.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "sim/core/error.h"
#include "sim/core/random.h"
#include "tests/sim/activity/plain_map.h"

namespace orrery::sim {
namespace {

using Counts = std::vector<std::uint32_t>;

/// Bodies all over the unit cube and around it.
std::vector<Vec3> scattered(std::size_t count) {
  Random random(7);
  std::vector<Vec3> position;
  for (std::size_t i = 0; i < count; ++i) {
    const auto next = [&] { return static_cast<float>(1.5 * random.uniform() - 0.25); };
    const float x = next();
    const float y = next();
    position.push_back({x, y, next()});
  }
  return position;
}

/// Which cell, by comparing with the edges one after the other in double precision.
std::size_t searched_cell(const Vec3& x, std::size_t size) {
  const auto place = [&](double at) {
    std::size_t k = 0;
    while (k + 1 < size && at >= static_cast<double>(k + 1) / static_cast<double>(size)) ++k;
    return k;
  };
  const bool inside = x.x >= 0.0F && x.x <= 1.0F && x.y >= 0.0F && x.y <= 1.0F;
  return inside ? place(x.y) * size + place(x.x) : size * size;
}

Counts counted(const std::vector<Vec3>& position, const MapSpec& spec, int threads) {
  const MapGrid grid(spec);
  Counts counts(grid.cells(), 99);
  Counts scratch;
  count_bodies(position, grid, threads, scratch, counts);
  return counts;
}

/// The sum of all cells.
std::uint64_t bodies_inside(const Counts& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

TEST(ActivityMap, CellsAreThoseBetweenTheirEdges) {
  // A power of two: the edges are the same numbers in single precision.
  constexpr std::size_t size = 32;
  const MapGrid grid({.size = size});
  for (const auto& x : scattered(20'000)) EXPECT_EQ(grid.cell_of(x), searched_cell(x, size));
}

TEST(ActivityMap, EdgesAreInsideAndInnerEdgesBelongToTheUpperCell) {
  const MapGrid grid({.size = 4});
  const auto cell = [&](float x, float y) { return grid.cell_of({x, y, 0.0F}); };
  EXPECT_EQ(cell(0.0F, 0.0F), 0U);
  EXPECT_EQ(cell(1.0F, 0.0F), 3U);
  EXPECT_EQ(cell(0.0F, 1.0F), 12U);
  EXPECT_EQ(cell(1.0F, 1.0F), 15U);
  EXPECT_EQ(cell(0.25F, 0.5F), 2U * 4U + 1U);
  EXPECT_EQ(cell(std::nextafter(0.25F, 0.0F), 0.0F), 0U);
  const float below = std::nextafter(0.0F, -1.0F);
  const float above = std::nextafter(1.0F, 2.0F);
  for (const float out : {below, above, std::numeric_limits<float>::quiet_NaN(), INFINITY, -INFINITY}) {
    EXPECT_EQ(cell(out, 0.5F), grid.cells()) << out;
    EXPECT_EQ(cell(0.5F, out), grid.cells()) << out;
  }
}

TEST(ActivityMap, SumIsTheNumberOfBodiesInsideWhateverTheBox) {
  auto position = scattered(5'000);
  for (const float edge : {-0.1F, 0.0F, 0.3F, 0.9F, 1.0F, 1.1F}) position.push_back({edge, edge, edge});
  for (const MapBox box : {MapBox{}, MapBox{-0.1F, 1.1F, 0.3F, 0.9F}, MapBox{0.1F, 0.7F, 0.0F, 1.0F}}) {
    for (const std::size_t size : {1UL, 3UL, 7UL, 10UL, 100UL, 1000UL}) {
      for (const auto plane : {MapPlane::xy, MapPlane::xz, MapPlane::yz}) {
        std::uint64_t inside = 0;
        for (const auto& x : position) {
          const float a = plane == MapPlane::yz ? x.y : x.x;
          const float b = plane == MapPlane::xy ? x.y : x.z;
          if (a >= box.left && a <= box.right && b >= box.bottom && b <= box.top) ++inside;
        }
        const MapSpec spec{.size = size, .plane = plane, .box = box};
        EXPECT_EQ(bodies_inside(counted(position, spec, 3)), inside) << size;
      }
    }
  }
}

TEST(ActivityMap, ThreadsChangeNothing) {
  const auto position = scattered(10'000);
  // Fewer cells than bodies: private maps; more: one map, atomically.
  for (const std::size_t size : {50UL, 300UL}) {
    const MapSpec spec{.size = size, .plane = MapPlane::xz};
    const MapGrid grid(spec);
    const auto reference = checks::plain_counts(position, grid);
    for (const int threads : {1, 2, 3, 8}) EXPECT_EQ(counted(position, spec, threads), reference) << threads;
  }
}

TEST(ActivityMap, NormalisedIsTheReportsValue) {
  const Counts counts{0, 1, 20, 400};
  std::vector<float> cells(4);
  EXPECT_EQ(map_values(counts, MapValues::count, 2, 1000, 2, cells), 400.0F);
  EXPECT_EQ(cells, (std::vector<float>{0.0F, 1.0F, 20.0F, 400.0F}));
  // count / N x D, clamped.
  EXPECT_FLOAT_EQ(map_values(counts, MapValues::normalised, 2, 100, 2, cells), 1.0F);
  EXPECT_FLOAT_EQ(cells[1], 0.02F);
  EXPECT_FLOAT_EQ(cells[2], 0.4F);
  EXPECT_FLOAT_EQ(cells[3], 1.0F);
}

TEST(MapBox, AllHoldsEveryBodyAndMostLeavesOutliersOut) {
  auto position = scattered(2'000);
  position.push_back({1000.0F, -3.0F, 0.1F});
  const auto all = fitted_map_box(position, MapPlane::xy, MapFit::all);
  EXPECT_EQ(all.right, 1000.0F);
  EXPECT_NEAR(all.right - all.left, all.top - all.bottom, 1e-3F);
  const MapSpec spec{.size = 33, .box = all};
  EXPECT_EQ(bodies_inside(counted(position, spec, 2)), position.size());
  const auto most = fitted_map_box(position, MapPlane::xy, MapFit::most);
  EXPECT_NEAR(most.right - most.left, 1.5F, 0.06F);
  EXPECT_NEAR(most.left, -0.25F, 0.06F);
}

TEST(MapBox, FitsOneBodyAndNoneAndWhatIsNoNumber) {
  const std::vector<Vec3> one{{5e6F, -2.0F, 0.0F}};
  for (const auto fit : {MapFit::most, MapFit::all}) {
    const auto box = fitted_map_box(one, MapPlane::xy, fit);
    EXPECT_NO_THROW(check_map_box(box));
    EXPECT_EQ(bodies_inside(counted(one, {.size = 2000, .box = box}, 1)), 1U);
    EXPECT_EQ(fitted_map_box({}, MapPlane::xy, fit), MapBox{});
  }
  const std::vector<Vec3> odd{{0.0F, 0.0F, 0.0F}, {NAN, 1.0F, 0.0F}, {2.0F, INFINITY, 0.0F}};
  EXPECT_EQ(fitted_map_box(odd, MapPlane::xy, MapFit::all).right, 2.0F);
}

TEST(MapBox, WhatIsNoBoxIsRefused) {
  EXPECT_THROW(check_map_box({1.0F, 1.0F, 0.0F, 1.0F}), UsageError);
  EXPECT_THROW(check_map_box({0.0F, 1.0F, 2.0F, 1.0F}), UsageError);
  EXPECT_THROW(check_map_box({0.0F, INFINITY, 0.0F, 1.0F}), UsageError);
  EXPECT_THROW(check_map_box({NAN, 1.0F, 0.0F, 1.0F}), UsageError);
  EXPECT_THROW(MapGrid({.size = 0}), UsageError);
  EXPECT_THROW(MapGrid({.size = largest_map + 1}), UsageError);
}

}  // namespace
}  // namespace orrery::sim
