#include "sim/cuda/multi_gpu/galaxy_cut.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace orrery::sim::cuda {
namespace {

using Pieces = std::vector<std::vector<tree::PieceCost>>;

/// Places on a curve of bodies, each of which costs what its place says.
struct Line {
  std::vector<std::uint64_t> keys;
  std::uint64_t costly_from = 0;  ///< from this key on they cost eight times as much

  /// The pieces of domains that begin at these keys.
  Pieces pieces(const std::vector<std::uint64_t>& begins) const {
    Pieces all(begins.size());
    for (std::size_t k = 0; k < begins.size(); ++k) {
      const auto first = std::ranges::lower_bound(keys, begins[k]);
      const auto last = k + 1 < begins.size() ? std::ranges::lower_bound(keys, begins[k + 1]) : keys.end();
      const std::vector<std::uint64_t> own(first, last);
      const std::size_t each = (own.size() + tree::domain_pieces - 1) / tree::domain_pieces;
      for (std::size_t p = 0; p < tree::domain_pieces; ++p) {
        auto& piece = all[k].emplace_back();
        for (std::size_t i = p * each; i < std::min((p + 1) * each, own.size()); ++i) {
          if (piece.bodies++ == 0) piece.key = own[i];
          piece.work += own[i] >= costly_from ? 80 : 10;
        }
      }
    }
    return all;
  }
};

/// Most of them at the begin, and a few behind.
Line line(std::size_t bodies) {
  Line line;
  for (std::size_t i = 0; i < bodies; ++i) {
    const auto place = static_cast<double>(i) / static_cast<double>(bodies);
    line.keys.push_back(static_cast<std::uint64_t>(place * place * place * 0x1p48));
  }
  line.costly_from = line.keys[7 * bodies / 10];
  return line;
}

/// Moved often enough.
std::vector<std::uint64_t> settled(const Line& bodies, std::vector<std::uint64_t> begins,
                                   const std::vector<double>& weights) {
  for (int k = 0; k < 10; ++k) begins = even_borders(bodies.pieces(begins), weights, begins);
  return begins;
}

TEST(EvenBorders, EveryDomainCostsTheSame) {
  const auto bodies = line(200'000);
  const std::vector<std::uint64_t> begins{0, bodies.keys[50'000], bodies.keys[100'000], bodies.keys[150'000]};
  const std::vector weights(4, 1.0);
  const auto before = bodies.pieces(begins);
  EXPECT_GT(largest_share(before, weights), 2.0);
  const auto once = bodies.pieces(even_borders(before, weights, begins));
  EXPECT_LT(largest_share(once, weights) - 1.0, 0.6 * (largest_share(before, weights) - 1.0));
  const auto even = settled(bodies, begins, weights);
  EXPECT_LT(largest_share(bodies.pieces(even), weights), 1.01);
  EXPECT_TRUE(std::ranges::is_sorted(even));
  EXPECT_EQ(even.front(), 0U);
}

TEST(EvenBorders, AFasterGpuGetsMore) {
  const auto bodies = line(100'000);
  const std::vector<std::uint64_t> begins{0, bodies.keys[50'000]};
  const std::vector<double> weights{3.0, 1.0};
  const auto pieces = bodies.pieces(settled(bodies, begins, weights));
  EXPECT_LT(largest_share(pieces, weights), 1.01);
  EXPECT_GT(largest_share(pieces, std::vector{1.0, 1.0}), 1.45);
}

TEST(EvenBorders, DomainsWithoutBodiesGetSome) {
  const auto bodies = line(100'000);
  const std::vector<std::uint64_t> begins{0, bodies.keys[10], bodies.keys[10], bodies.keys.back() + 1};
  const std::vector weights(4, 1.0);
  const auto even = settled(bodies, begins, weights);
  EXPECT_LT(largest_share(bodies.pieces(even), weights), 1.01);
}

TEST(EvenBorders, AreKeptWhereNothingIsKnown) {
  const std::vector<std::uint64_t> begins{0, 17, 99};
  const Pieces pieces(3, std::vector<tree::PieceCost>(tree::domain_pieces));
  const std::vector weights(3, 1.0);
  EXPECT_EQ(even_borders(pieces, weights, begins), begins);
  EXPECT_EQ(largest_share(pieces, weights), 1.0);
}

// All bodies in one place cannot be divided.
TEST(EvenBorders, OnePlaceStaysOneDomain) {
  Line bodies;
  bodies.keys.assign(1000, 12345);
  const std::vector<std::uint64_t> begins{0, 12345, 12345};
  const auto even = settled(bodies, begins, std::vector(3, 1.0));
  EXPECT_TRUE(std::ranges::is_sorted(even));
  std::size_t held = 0;
  for (const auto& piece : bodies.pieces(even))
    held += std::ranges::any_of(piece, [](const auto& p) { return p.bodies > 0; }) ? 1 : 0;
  EXPECT_EQ(held, 1U);
}

}  // namespace
}  // namespace orrery::sim::cuda
