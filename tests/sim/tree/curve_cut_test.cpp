#include "sim/tree/curve_sort.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/galaxies/model.h"
#include "sim/tree/curve_grid.h"
#include "sim/tree/curve_sort.h"

namespace orrery::sim {
namespace {

Bodies sphere(std::size_t bodies) { return make_galaxy("plummer", {.bodies = bodies, .seed = 3}).bodies; }

std::vector<std::uint32_t> counted(std::size_t bodies) {
  std::vector<std::uint32_t> order(bodies);
  std::iota(order.begin(), order.end(), 0U);
  return order;
}

/// The mean distance between neighbours in the order.
double mean_step(const std::vector<Vec3>& position, const std::vector<std::uint32_t>& order) {
  double sum = 0.0;
  for (std::size_t k = 1; k < order.size(); ++k)
    sum += std::min(1.0, norm(DVec3(position[order[k]]) - DVec3(position[order[k - 1]])));
  return sum / static_cast<double>(order.size());
}

TEST(CurveCut, TheOrderHasEveryBodyOnceAndNeighboursSideBySide) {
  const auto bodies = sphere(4099);
  const auto order = curve_order(bodies.position, EvenGrid(bodies.position), 2);
  auto sorted = order;
  std::ranges::sort(sorted);
  EXPECT_EQ(sorted, counted(4099));
  EXPECT_EQ(order, curve_order(bodies.position, EvenGrid(bodies.position), 1));
  EXPECT_LT(mean_step(bodies.position, order), 0.3 * mean_step(bodies.position, counted(4099)));
}

// In a grid over the box around all, they would all be in one cell.
TEST(CurveCut, ABodyFarOutsideDoesNotSpoilTheOrder) {
  auto bodies = sphere(4099);
  const double usual = mean_step(bodies.position, curve_order(bodies.position, EvenGrid(bodies.position), 1));
  bodies.position[7] *= 1e12F;
  bodies.position[8].x = NAN;
  const auto order = curve_order(bodies.position, EvenGrid(bodies.position), 1);
  EXPECT_EQ(order.size(), 4099U);
  EXPECT_LT(mean_step(bodies.position, order), 1.2 * usual);
}

TEST(CurveCut, StretchesHaveTheWorkOfTheirWeights) {
  const auto order = counted(10'000);
  std::vector<float> work(10'000, 1.0F);
  for (std::size_t k = 0; k < 1000; ++k) work[k] = 31.0F;
  const auto cut = cut_order(order, work, std::vector<double>{1.0, 2.0, 1.0});
  std::size_t next = 0;
  std::vector<double> sums;
  for (const auto& stretch : cut) {
    EXPECT_EQ(stretch.first, next);
    next = stretch.last;
    double sum = 0.0;
    for (auto k = stretch.first; k < stretch.last; ++k) sum += static_cast<double>(work[order[k]]);
    sums.push_back(sum);
  }
  EXPECT_EQ(next, 10'000U);
  EXPECT_NEAR(sums[0], 10'000.0, 32.0);
  EXPECT_NEAR(sums[1], 20'000.0, 64.0);
  EXPECT_EQ(cut_order(order, {}, std::vector<double>{1.0, 1.0}),
            (std::vector<BodyRange>{{0, 5000}, {5000, 10'000}}));
}

TEST(CurveCut, NoStretchIsEmptyWhileThereAreBodies) {
  std::vector<float> work(5, 0.0F);
  work[4] = 1.0F;
  const std::vector<double> four(4, 1.0);
  for (const auto& stretch : cut_order(counted(5), work, four)) EXPECT_FALSE(stretch.empty());
  std::ranges::fill(work, 0.0F);
  for (const auto& stretch : cut_order(counted(5), work, four)) EXPECT_FALSE(stretch.empty());
  const auto few = cut_order(counted(2), {}, four);
  EXPECT_EQ(few, (std::vector<BodyRange>{{0, 1}, {1, 2}, {2, 2}, {2, 2}}));
}

}  // namespace
}  // namespace orrery::sim
