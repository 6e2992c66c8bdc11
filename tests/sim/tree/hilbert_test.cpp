#include "sim/tree/curve_grid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <vector>

namespace orrery::sim {
namespace {

constexpr std::uint32_t side = 8;  // cells of a coarse grid
constexpr int fine = hilbert_bits - 3;

struct Cell {
  std::uint64_t key = 0;
  std::array<int, 3> at = {};
};

/// The cells of the coarse grid in the order of the curve, each by its first fine cell.
std::vector<Cell> coarse_cells() {
  std::vector<Cell> cells;
  for (std::uint32_t i = 0; i < side * side * side; ++i) {
    const std::uint32_t x = i % side, y = i / side % side, z = i / side / side;
    cells.push_back({hilbert_key(x << fine, y << fine, z << fine) >> (3 * fine),
                     {static_cast<int>(x), static_cast<int>(y), static_cast<int>(z)}});
  }
  std::ranges::sort(cells, {}, &Cell::key);
  return cells;
}

TEST(Hilbert, EveryCellHasAPlaceOfItsOwn) {
  const auto cells = coarse_cells();
  for (std::size_t k = 0; k < cells.size(); ++k) EXPECT_EQ(cells[k].key, k);
}

TEST(Hilbert, NeighboursOnTheCurveAreNeighboursInSpace) {
  const auto cells = coarse_cells();
  for (std::size_t k = 1; k < cells.size(); ++k) {
    int steps = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) steps += std::abs(cells[k].at[axis] - cells[k - 1].at[axis]);
    EXPECT_EQ(steps, 1) << "place " << k;
  }
}

TEST(Hilbert, WhatLiesInOneCellHasOnePrefix) {
  const std::uint32_t last = (1U << hilbert_bits) - 1;
  const auto prefix = [](std::uint64_t key) { return key >> (3 * fine); };
  for (const std::uint32_t x : {0U, 3U, 7U}) {
    const auto first = prefix(hilbert_key(x << fine, 5U << fine, 2U << fine));
    const std::uint32_t within = (1U << fine) - 1;
    EXPECT_EQ(prefix(hilbert_key((x << fine) + within, (5U << fine) + 77, (2U << fine) + within)), first);
  }
  EXPECT_LT(hilbert_key(last, last, last), std::uint64_t{1} << 63U);
}

}  // namespace
}  // namespace orrery::sim
