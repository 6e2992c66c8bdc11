#include "sim/bodies/partition.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "sim/core/error.h"

namespace orrery::sim {
namespace {

std::vector<GalaxyRange> galaxies_of(const std::vector<std::size_t>& sizes) {
  std::vector<GalaxyRange> galaxies;
  std::size_t first = 0;
  for (const auto size : sizes) {
    galaxies.push_back({first, first + size});
    first += size;
  }
  return galaxies;
}

std::vector<std::size_t> target_counts(const std::vector<Partition>& shares) {
  std::vector<std::size_t> counts;
  for (const auto& share : shares) counts.push_back(share.targets.size());
  return counts;
}

/// Every body is the target of exactly one share, and held by it.
void expect_cover(const std::vector<Partition>& shares, std::size_t bodies) {
  std::size_t next = 0;
  for (const auto& share : shares) {
    EXPECT_EQ(share.targets.first, next);
    EXPECT_LE(share.held.first, share.targets.first);
    EXPECT_GE(share.held.last, share.targets.last);
    next = share.targets.last;
  }
  EXPECT_EQ(next, bodies);
}

/// The parts of `galaxies` that lie in `targets`: one range each, empty ones left out.
std::vector<GalaxyRange> galaxies_within(std::span<const GalaxyRange> galaxies, BodyRange targets) {
  std::vector<GalaxyRange> within;
  for (const auto& galaxy : galaxies) {
    const GalaxyRange part{std::max(galaxy.first, targets.first), std::min(galaxy.last, targets.last)};
    if (part.first < part.last) within.push_back(part);
  }
  return within;
}

TEST(Partition, RemainderOfGalaxiesGoesToTheFirst) {
  const auto galaxies = galaxies_of(std::vector<std::size_t>(32, 10));
  const std::vector<double> three(3, 1.0);
  EXPECT_EQ(target_counts(split_galaxies(galaxies, three)), (std::vector<std::size_t>{110, 110, 100}));
}

TEST(Partition, EveryGalaxyExactlyOnceForAnyDevices) {
  const std::vector<std::vector<std::size_t>> batches{
      {1}, {7, 7}, {5, 5, 5, 5, 5}, {1, 2, 3, 4, 5, 6}, {100, 1, 1, 1}, {1, 1, 1, 100}};
  for (const auto& sizes : batches) {
    const auto galaxies = galaxies_of(sizes);
    for (std::size_t workers = 1; workers <= 9; ++workers) {
      std::vector<double> weights(workers, 1.0);
      for (const double last : {1.0, 0.3, 4.0}) {
        weights.back() = last;
        const auto whole = split_galaxies(galaxies, weights);
        ASSERT_EQ(whole.size(), workers);
        expect_cover(whole, galaxies.back().last);
        for (const auto& share : whole) {
          EXPECT_EQ(share.held, share.targets);
          for (const auto& part : galaxies_within(galaxies, share.targets))
            EXPECT_NE(std::ranges::find(galaxies, part), galaxies.end()) << "a galaxy was cut";
        }
        expect_cover(split_bodies(galaxies, weights), galaxies.back().last);
      }
    }
  }
}

TEST(Partition, FewerGalaxiesThanWorkersLeaveTheLastWithout) {
  const std::vector<double> four(4, 1.0);
  EXPECT_EQ(target_counts(split_galaxies(galaxies_of({6, 6}), four)), (std::vector<std::size_t>{6, 6, 0, 0}));
}

TEST(Partition, OneGalaxyIsCutByBodies) {
  const std::vector<double> three(3, 1.0);
  const auto shares = split_bodies(galaxies_of({11}), three);
  EXPECT_EQ(target_counts(shares), (std::vector<std::size_t>{4, 4, 3}));
  for (const auto& share : shares) EXPECT_EQ(share.held, (BodyRange{0, 11}));
}

TEST(Partition, WeightsAreFollowed) {
  const std::vector<double> weights{3.0, 1.0};
  EXPECT_EQ(target_counts(split_bodies(galaxies_of({1000}), weights)), (std::vector<std::size_t>{750, 250}));
  EXPECT_EQ(target_counts(split_galaxies(galaxies_of(std::vector<std::size_t>(8, 2)), weights)),
            (std::vector<std::size_t>{12, 4}));
}

TEST(Partition, RaggedGalaxiesAreCutByWork) {
  const std::vector<double> two(2, 1.0);
  // 100^2 = 10000 against 3 x 50^2 = 7500.
  EXPECT_EQ(target_counts(split_galaxies(galaxies_of({100, 50, 50, 50}), two)),
            (std::vector<std::size_t>{100, 150}));
  const auto shares = split_bodies(galaxies_of({100, 50, 50, 50}), two);
  EXPECT_EQ(target_counts(shares), (std::vector<std::size_t>{88, 162}));
}

TEST(Partition, BadWeightsAreRefused) {
  const auto galaxies = galaxies_of({4});
  EXPECT_THROW(split_galaxies(galaxies, {}), Error);
  const std::vector<double> zero{1.0, 0.0};
  EXPECT_THROW(split_bodies(galaxies, zero), Error);
}

}  // namespace
}  // namespace orrery::sim
