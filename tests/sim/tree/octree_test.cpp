#include "sim/tree/octree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numeric>
#include <random>

#include "tests/sim/engines/engine_cases.h"
#include "tests/sim/tree/lopsided_cell.h"

namespace orrery::sim {
namespace {

struct Cloud {
  std::vector<Vec3> position;
  std::vector<float> mass;
};

/// Bodies of uneven masses, denser in the middle, and a few far away.
Cloud cloud(std::size_t bodies) {
  std::mt19937 random(11);
  std::normal_distribution<float> normal;
  Cloud result;
  for (std::size_t i = 0; i < bodies; ++i) {
    const float size = i % 50 == 49 ? 100.0F : std::exp(normal(random));
    result.position.push_back({size * normal(random), size * normal(random), 0.3F * size * normal(random)});
    result.mass.push_back(std::exp(2.0F * normal(random)));
  }
  return result;
}

Octree tree_of(const Cloud& bodies, std::size_t leaf_size = 8, int threads = 2) {
  Octree tree;
  tree.build(bodies.position, bodies.mass, {.leaf_size = leaf_size, .third_moments = true}, threads);
  return tree;
}

void expect_parts_cover(const Octree& tree, const TreeNode& node) {
  std::uint32_t next = node.first;
  for (std::uint32_t k = 0; k < node.children; ++k) {
    const auto& part = tree.nodes()[node.child + k];
    EXPECT_EQ(part.first, next);
    EXPECT_GT(part.count, 0U);
    next += part.count;
  }
  EXPECT_EQ(next, node.first + node.count);
}

void expect_whole(const Cloud& bodies, std::size_t leaf_size) {
  const auto tree = tree_of(bodies, leaf_size);
  std::vector<std::uint32_t> order(tree.order().begin(), tree.order().end());
  std::ranges::sort(order);
  for (std::size_t i = 0; i < bodies.mass.size(); ++i) ASSERT_EQ(order[i], i);
  EXPECT_EQ(tree.nodes().front().count, bodies.mass.size());
  std::size_t in_leaves = 0;
  for (const auto& node : tree.nodes()) {
    if (node.is_leaf()) {
      EXPECT_LE(node.count, leaf_size);
      in_leaves += node.count;
    } else {
      EXPECT_GE(node.children, 2U) << "a cell in a cell";
      expect_parts_cover(tree, node);
    }
  }
  EXPECT_EQ(in_leaves, bodies.mass.size());
}

TEST(Octree, EveryBodyIsInOneLeafAndPartsCoverTheirCell) {
  for (const std::size_t bodies : {1U, 2U, 8U, 9U, 100U, 5000U, 20'011U}) expect_whole(cloud(bodies), 8);
  expect_whole(cloud(1000), 1);
  expect_whole(cloud(1000), 256);
}

TEST(Octree, BodiesAtOnePlaceAreDividedByTheirNumber) {
  const Cloud same{std::vector<Vec3>(10'000, Vec3{1.0F, 2.0F, 3.0F}), std::vector<float>(10'000, 0.5F)};
  expect_whole(same, 8);
  const auto root = tree_of(same).nodes().front();
  EXPECT_EQ(root.size, std::nextafter(0.0F, 1.0F));
  EXPECT_FLOAT_EQ(root.mass, 5000.0F);
  auto mixed = cloud(500);
  mixed.position.insert(mixed.position.end(), 500, Vec3{0.25F, 0.25F, 0.25F});
  mixed.mass.resize(1000, 1.0F);
  expect_whole(mixed, 4);
}

TEST(Octree, LinesLatticesAndHugeNumbers) {
  Cloud line, lattice, huge;
  for (std::size_t i = 0; i < 3000; ++i) {
    line.position.push_back({static_cast<float>(i), 0.0F, 0.0F});
    lattice.position.push_back(checks::lattice_place(i, 15));
    huge.position.push_back({i % 3 == 0 ? 1e30F : -1e30F, static_cast<float>(i), 0.0F});
  }
  for (auto* bodies : {&line, &lattice, &huge}) {
    bodies->mass.assign(bodies->position.size(), 1.0F);
    expect_whole(*bodies, 8);
  }
}

TEST(Octree, TheNumberOfThreadsChangesNoBit) {
  const auto bodies = cloud(50'000);
  const auto one = tree_of(bodies, 16, 1);
  for (const int threads : {2, 3, 7}) {
    const auto other = tree_of(bodies, 16, threads);
    ASSERT_EQ(other.nodes().size(), one.nodes().size());
    EXPECT_EQ(std::memcmp(other.nodes().data(), one.nodes().data(), one.nodes().size_bytes()), 0);
    EXPECT_EQ(std::memcmp(other.moments().data(), one.moments().data(), one.moments().size_bytes()), 0);
    EXPECT_TRUE(std::ranges::equal(other.order(), one.order()));
  }
}

/// Mass, centre and second moments of the bodies of a cell, summed one by one.
struct Direct {
  double mass = 0.0;
  DVec3 center;
  std::array<double, 6> moment = {};
  std::array<double, 7> third = {};  ///< without traces
  double largest = 0.0;              ///< distance from the centre

  Direct(const Octree& tree, const TreeNode& node) {
    for (std::size_t i = node.first; i < node.first + node.count; ++i) {
      mass += tree.mass()[i];
      center += static_cast<DVec3>(tree.position()[i]) * static_cast<double>(tree.mass()[i]);
    }
    center *= 1.0 / mass;
    for (std::size_t i = node.first; i < node.first + node.count; ++i) {
      const auto d = static_cast<DVec3>(tree.position()[i]) - center;
      const double m = tree.mass()[i];
      const std::array<double, 6> part{d.x * d.x, d.x * d.y, d.x * d.z, d.y * d.y, d.y * d.z, d.z * d.z};
      for (std::size_t k = 0; k < 6; ++k) moment[k] += m * part[k];
      const auto odd = checks::traceless_third(d);
      for (std::size_t k = 0; k < 7; ++k) third[k] += m * odd[k];
      largest = std::max(largest, norm(d));
    }
  }
};

void expect_right_moments(const Octree& tree) {
  for (std::size_t k = 0; k < tree.nodes().size(); ++k) {
    const auto& node = tree.nodes()[k];
    const Direct direct(tree, node);
    const double size = static_cast<double>(node.size);
    EXPECT_NEAR(node.mass, direct.mass, 1e-5 * direct.mass);
    EXPECT_LE(norm(static_cast<DVec3>(node.center) - direct.center), 1e-5 * (size + norm(direct.center)));
    EXPECT_GE(node.reach * (1.0 + 1e-5) + 1e-6 * norm(direct.center), direct.largest)
        << "a body beyond the cell's corner";
    EXPECT_LE(node.reach, 2.0 * size + 1e-30);
    for (std::size_t j = 0; j < 6; ++j)
      EXPECT_NEAR(tree.moments()[k][j], direct.moment[j],
                  direct.mass * (1e-4 * size * size + 1e-12 * dot(direct.center, direct.center)));
    // Of bodies in nearly one place the centre is known to its own digits only.
    for (std::size_t j = 0; j < 7 && size > 1e-4 * norm(direct.center); ++j)
      EXPECT_NEAR(tree.third()[k][j] * size, direct.third[j],
                  direct.mass * size * size * (1e-4 * size + 1e-6 * norm(direct.center)));
  }
}

TEST(Octree, MomentsAreThoseOfTheBodies) { expect_right_moments(tree_of(cloud(5000))); }

/// Cells that are kept while their bodies move: the same bodies, with the moments and boxes of where they
/// are.
TEST(Octree, KeptCellsFollowTheirBodies) {
  auto bodies = cloud(5000);
  auto tree = tree_of(bodies);
  const auto built = tree_of(bodies);
  tree.move(bodies.position, bodies.mass, 3);
  EXPECT_EQ(std::memcmp(tree.nodes().data(), built.nodes().data(), built.nodes().size_bytes()), 0);
  EXPECT_EQ(std::memcmp(tree.third().data(), built.third().data(), built.third().size_bytes()), 0);
  std::mt19937 random(5);
  std::normal_distribution<float> normal;
  for (auto& x : bodies.position) x = x * 1.1F + Vec3{normal(random), normal(random), normal(random)} * 0.1F;
  tree.move(bodies.position, bodies.mass, 2);
  EXPECT_TRUE(std::ranges::equal(tree.order(), built.order()));
  for (std::size_t k = 0; k < bodies.mass.size(); ++k)
    ASSERT_EQ(norm(tree.position()[k] - bodies.position[tree.order()[k]]), 0.0F);
  expect_right_moments(tree);
  EXPECT_TRUE(tree.holds(5000));
  EXPECT_FALSE(tree.holds(4999));
  tree.forget();
  EXPECT_FALSE(tree.holds(5000));
}

}  // namespace
}  // namespace orrery::sim
