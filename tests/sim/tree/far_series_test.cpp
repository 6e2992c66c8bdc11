#include "sim/core/vector_targets.h"
// After vector_targets.h. For the instructions that every CPU of this kind has.
#include "sim/cpu/tree/group_forces-inl.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "tests/sim/tree/lopsided_cell.h"

// The series of a group's far cells against direct sums over the cells' bodies.
namespace orrery::sim {
namespace {

using checks::direction;
using checks::LopsidedCell;
using checks::Mass;

using Columns = std::array<std::vector<float>, 10>;

/// Three cells, in directions that do not cancel, of bodies within `extent` of their middle. Bodies stand in
/// pairs on both sides of it: no third moments, which the series leaves out without order=octupole.
class FarCells {
 public:
  FarCells(double distance, double extent) {
    std::mt19937 random(5);
    for (auto& column : columns_) column.resize(2 * most_group);
    for (std::size_t cell = 0; cell < cells; ++cell) add_cell(cell, distance, extent, random);
    // Vectors of several numbers read on: massless cells at a distance.
    for (std::size_t k = 0; k < 3; ++k)
      std::fill(columns_[k].begin() + cells, columns_[k].end(), columns_[k][cells - 1]);
  }

  DVec3 pull(const DVec3& x, double softening_squared) const {
    DVec3 sum;
    for (const auto& each : masses_) {
      const DVec3 d = each.place - x;
      sum += d * (each.mass * std::pow(dot(d, d) + softening_squared, -1.5));
    }
    return sum;
  }
  void give(GroupTask& task) const {
    for (std::size_t k = 0; k < columns_.size(); ++k) task.far[k] = columns_[k].data();
    task.far_count = cells;
  }

 private:
  static constexpr std::size_t cells = 3;

  void add_cell(std::size_t cell, double distance, double extent, std::mt19937& random) {
    const DVec3 away{1.0, 0.4 * static_cast<double>(cell), 0.7 - 0.5 * static_cast<double>(cell)};
    const DVec3 middle = away * (distance / norm(away));
    const std::array<double, 3> place{middle.x, middle.y, middle.z};
    for (std::size_t k = 0; k < 3; ++k) columns_[k][cell] = static_cast<float>(place[k]);
    for (int pair = 0; pair < 4; ++pair) {
      const DVec3 d = direction(random) * extent;
      const double m = 0.3 + 0.1 * pair;
      masses_.push_back({middle + d, m});
      masses_.push_back({middle - d, m});
      const std::array<double, 6> second{d.x * d.x, d.x * d.y, d.x * d.z, d.y * d.y, d.y * d.z, d.z * d.z};
      columns_[3][cell] += static_cast<float>(2.0 * m);
      for (std::size_t k = 0; k < 6; ++k) columns_[4 + k][cell] += static_cast<float>(2.0 * m * second[k]);
    }
  }

  Columns columns_;
  std::vector<Mass> masses_;
};

/// The largest error on a group of radius 1, over the largest pull.
double largest_error(double distance, double extent, double softening) {
  const FarCells cells(distance, extent);
  const double softening_squared = softening * softening;
  GroupTask task;
  std::mt19937 random(7);
  std::vector<DVec3> place;
  for (std::size_t i = 0; i < most_group; ++i) {
    place.push_back(direction(random) * (i % 2 == 0 ? 1.0 : 0.6));
    task.x[i] = static_cast<float>(place[i].x);
    task.y[i] = static_cast<float>(place[i].y);
    task.z[i] = static_cast<float>(place[i].z);
  }
  task.count = most_group;
  task.radius = 1.0F;
  task.softening_squared = softening_squared;
  cells.give(task);
  HWY_NAMESPACE::sum_group<false, 2>(task);
  double error = 0.0, size = 0.0;
  for (std::size_t i = 0; i < most_group; ++i) {
    const DVec3 exact = cells.pull(place[i], softening_squared);
    error = std::max(error, norm(DVec3{task.ax[i], task.ay[i], task.az[i]} - exact));
    size = std::max(size, norm(exact));
  }
  return error / size;
}

double slope(double extent, double softening) {
  return std::log2(largest_error(4.0, extent, softening) / largest_error(8.0, extent, softening));
}

/// The neglected terms are of the fifth order of the potential: the fourth power of radius over distance in
/// the pull. A wrong term of third or fourth order, or of second moments, bends the slope.
TEST(FarSeries, ErrorFallsWithTheFourthPowerOfTheDistance) {
  EXPECT_NEAR(slope(0.0, 0.0), 4.0, 0.3);
  EXPECT_NEAR(slope(1.0, 0.0), 4.0, 0.3);
  EXPECT_NEAR(slope(0.0, 1.0), 4.0, 0.3);
  EXPECT_NEAR(slope(1.0, 1.0), 4.0, 0.3);
}

TEST(FarSeries, ErrorIsThatOfTheFirstTermLeftOut) {
  // (r / d)^4, times 5 for a mass in the line of sight of a body.
  EXPECT_LT(largest_error(6.0, 0.0, 0.0), 5.0 / 1296.0);
  EXPECT_GT(largest_error(6.0, 0.0, 0.0), 0.5 / 1296.0);
  EXPECT_LT(largest_error(40.0, 0.0, 0.0), 1e-5);
}

/// The cell at 0 as a walk hands it over, and a group of bodies of radius `radius` around a place.
class OneCell {
 public:
  OneCell(const DVec3& middle, double radius, double sign_of_third) {
    const auto n = cell_.numbers();
    for (std::size_t k = 0; k < 14; ++k)
      number_[k] = static_cast<float>(k < 7 ? n[k] : sign_of_third * 7.5 * n[k]);
    std::mt19937 random(7);
    task_.count = most_group;
    for (std::size_t i = 0; i < most_group; ++i) {
      place_.push_back(middle + direction(random) * radius);
      task_.x[i] = static_cast<float>(place_[i].x);
      task_.y[i] = static_cast<float>(place_[i].y);
      task_.z[i] = static_cast<float>(place_[i].z);
    }
  }

  void by_itself() {
    near_ = {0.0F, 0.0F, 0.0F, number_[0]};
    for (std::size_t k = 0; k < 6; ++k) near_[4 + k] = -3.0F * number_[1 + k];
    near_[10] = 0.5F * (near_[4] + near_[7] + near_[9]);
    const auto* t = &number_[7];
    third_ = {t[0], t[1], t[2], t[3], t[4], t[5], t[6], -(t[0] + t[3]), -(t[1] + t[5])};
    task_.cells = &near_;
    task_.third = &third_;
    task_.cell_count = task_.third_count = 1;
  }
  void by_series(const DVec3& middle, double radius) {
    for (auto& column : columns_) column.assign(2 * most_group, 0.0F);
    const std::array<double, 3> at{-middle.x, -middle.y, -middle.z}, from{middle.x, middle.y, middle.z};
    for (std::size_t k = 0; k < 3; ++k) {
      std::ranges::fill(columns_[k], static_cast<float>(at[k]));
      task_.middle[k] = static_cast<float>(from[k]);
    }
    for (std::size_t k = 0; k < 14; ++k) columns_[3 + k][0] = number_[k];
    for (std::size_t k = 0; k < 10; ++k) task_.far[k] = columns_[k].data();
    for (std::size_t k = 0; k < 7; ++k) task_.far_third[k] = columns_[10 + k].data();
    task_.far_count = 1;
    task_.series_has_third = true;
    task_.radius = static_cast<float>(radius);
  }
  double largest_error() {
    HWY_NAMESPACE::sum_group<false, 2>(task_);
    double error = 0.0, size = 0.0;
    for (std::size_t i = 0; i < most_group; ++i) {
      const DVec3 exact = cell_.pull(place_[i]);
      error = std::max(error, norm(DVec3{task_.ax[i], task_.ay[i], task_.az[i]} - exact));
      size = std::max(size, norm(exact));
    }
    return error / size;
  }

 private:
  LopsidedCell cell_;
  GroupTask task_;
  std::vector<DVec3> place_;
  std::array<float, 14> number_ = {};
  GroupSources::Cell near_ = {};
  GroupSources::Third third_ = {};
  std::array<std::vector<float>, 17> columns_;
};

/// Over the distance, of a cell by itself.
double slope_of_cell(double sign_of_third) {
  const auto error = [&](double distance) {
    OneCell cell({0.0, 0.0, 0.0}, distance, sign_of_third);
    cell.by_itself();
    return cell.largest_error();
  };
  return std::log2(error(5.0) / error(10.0));
}

TEST(CellPull, ThirdMomentsLeaveOutTheFourthOrder) {
  EXPECT_NEAR(slope_of_cell(1.0), 4.0, 0.4);
  EXPECT_NEAR(slope_of_cell(0.0), 3.0, 0.3);
  EXPECT_NEAR(slope_of_cell(-1.0), 3.0, 0.3);
}

double slope_of_series(double sign_of_third) {
  const DVec3 away = DVec3{0.5, -0.7, 0.6} * (1.0 / norm(DVec3{0.5, -0.7, 0.6}));
  const auto error = [&](double distance) {
    OneCell cell(away * distance, 0.5, sign_of_third);
    cell.by_series(away * distance, 0.5);
    return cell.largest_error();
  };
  return std::log2(error(5.0) / error(10.0));
}

TEST(FarSeries, ThirdMomentsPullInTheMiddle) {
  EXPECT_NEAR(slope_of_series(1.0), 4.0, 0.4);
  EXPECT_NEAR(slope_of_series(0.0), 3.0, 0.4);
  EXPECT_NEAR(slope_of_series(-1.0), 3.0, 0.4);
}

}  // namespace
}  // namespace orrery::sim
