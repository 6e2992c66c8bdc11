#include "sim/tree/octree.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "sim/tree/curve_grid.h"
#include "sim/tree/tree_moments.h"

namespace orrery::sim {

namespace {

/// Below this a parallel loop costs more than it saves.
constexpr std::size_t worth_threads = 4096;

int threads_for(std::size_t work, int threads) { return work < worth_threads ? 1 : std::max(1, threads); }

using Borders = std::array<std::uint32_t, 9>;

/// Where the parts of a cell begin and end: by the first octal digit in which its keys differ (cells in cells
/// with one part are so left out), or in pieces of one size where all keys are the same.
Borders borders_of(std::span<const KeyedIndex> keys, const TreeNode& node) {
  Borders borders{};
  const std::uint32_t last = node.first + node.count;
  const std::uint64_t differing = keys[node.first].key ^ keys[last - 1].key;
  const auto shift = static_cast<unsigned>((63 - std::countl_zero(differing | 1U)) / 3 * 3);
  borders[0] = node.first;
  for (std::uint32_t digit = 1; digit < 8; ++digit) {
    if (differing == 0) {
      borders[digit] = node.first + static_cast<std::uint32_t>(std::uint64_t{node.count} * digit / 8);
      continue;
    }
    const auto from = keys.begin() + borders[digit - 1];
    const auto below = [&](const KeyedIndex& item) { return ((item.key >> shift) & 7U) < digit; };
    borders[digit] =
        static_cast<std::uint32_t>(std::partition_point(from, keys.begin() + last, below) - keys.begin());
  }
  borders[8] = last;
  return borders;
}

std::uint32_t count_parts(const Borders& borders) {
  std::uint32_t parts = 0;
  for (std::size_t k = 0; k < 8; ++k) parts += borders[k + 1] > borders[k] ? 1 : 0;
  return parts;
}

void write_parts(const Borders& borders, TreeNode* parts) {
  for (std::size_t k = 0; k < 8; ++k) {
    if (borders[k + 1] == borders[k]) continue;
    parts->first = borders[k];
    parts->count = borders[k + 1] - borders[k];
    ++parts;
  }
}

}  // namespace

void Octree::build(std::span<const Vec3> position, std::span<const float> mass, std::size_t leaf_size,
                   int threads) {
  build(position, mass, leaf_size, threads, box_around(position));
}

void Octree::build(std::span<const Vec3> position, std::span<const float> mass, std::size_t leaf_size,
                   int threads, const Box& around) {
  sort(position, mass, threads, CurveGrid(around));
  grow(std::max<std::size_t>(1, leaf_size), threads);
  boxes_.resize(nodes_.size());
  moments_.resize(nodes_.size());
  const NodeNumbers numbers{nodes_, boxes_, moments_};
  for (std::size_t level = levels_.size() - 1; level-- > 0;) {
    const std::size_t first = levels_[level], last = levels_[level + 1];
#pragma omp parallel for schedule(dynamic, 64) num_threads(threads_for((last - first) * 64, threads))
    for (std::size_t k = first; k < last; ++k) weigh_node(position_, mass_, numbers, k);
  }
}

/// Bodies in the order of the curve.
void Octree::sort(std::span<const Vec3> position, std::span<const float> mass, int threads,
                  const CurveGrid& grid) {
  const std::size_t bodies = position.size();
  keys_.resize(bodies);
#pragma omp parallel for schedule(static) num_threads(threads_for(bodies, threads))
  for (std::size_t i = 0; i < bodies; ++i) keys_[i] = {grid.key(position[i]), static_cast<std::uint32_t>(i)};
  sort_by_key(keys_, scratch_, threads);
  order_.resize(bodies);
  position_.resize(bodies);
  mass_.resize(bodies);
#pragma omp parallel for schedule(static) num_threads(threads_for(bodies, threads))
  for (std::size_t i = 0; i < bodies; ++i) {
    order_[i] = keys_[i].index;
    position_[i] = position[order_[i]];
    mass_[i] = mass[order_[i]];
  }
}

void Octree::grow(std::size_t leaf_size, int threads) {
  nodes_.assign(1, {});
  nodes_.front().count = static_cast<std::uint32_t>(keys_.size());
  levels_.assign({0, 1});
  while (add_level(leaf_size, threads)) levels_.push_back(nodes_.size());
}

/// The parts of the last level's cells that are too large for a leaf. False if there are none.
bool Octree::add_level(std::size_t leaf_size, int threads) {
  const std::size_t first = levels_[levels_.size() - 2], last = levels_.back();
  borders_.resize(last - first);
#pragma omp parallel for schedule(static) num_threads(threads_for(last - first, threads))
  for (std::size_t k = first; k < last; ++k) {
    if (nodes_[k].count > leaf_size) borders_[k - first] = borders_of(keys_, nodes_[k]);
  }
  std::size_t end = last;
  for (std::size_t k = first; k < last; ++k) {
    if (nodes_[k].count <= leaf_size) continue;
    nodes_[k].child = static_cast<std::uint32_t>(end);
    nodes_[k].children = count_parts(borders_[k - first]);
    end += nodes_[k].children;
  }
  nodes_.resize(end);
#pragma omp parallel for schedule(static) num_threads(threads_for(last - first, threads))
  for (std::size_t k = first; k < last; ++k) {
    if (!nodes_[k].is_leaf()) write_parts(borders_[k - first], &nodes_[nodes_[k].child]);
  }
  return end > last;
}

}  // namespace orrery::sim
