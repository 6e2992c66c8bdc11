#include "sim/tree/octree.h"

#include <algorithm>
#include <bit>

#include "sim/tree/curve_grid.h"
#include "sim/tree/tree_moments.h"

namespace orrery::sim {

namespace {

/// With fewer cells times threads a parallel loop costs more than it saves.
constexpr std::size_t worth_threads = 1024;

int threads_for(std::size_t cells, int threads) {
  const int all = std::max(1, threads);
  return cells * static_cast<std::size_t>(all) < worth_threads ? 1 : all;
}

/// The number of cells of a level that a thread takes at a time; small, because their work differs.
std::size_t cells_at_once(std::size_t cells, int threads) {
  return std::clamp<std::size_t>(cells / (8 * static_cast<std::size_t>(std::max(1, threads))), 1, 64);
}

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

/// Bodies of a cell with one key come in the order of a curve through their own box, and have its keys: the
/// grid over all bodies is too coarse for what is compact and far from others.
void refine(CurveBodies& bodies, const TreeNode& node) {
  const auto keys = std::span(bodies.keys).subspan(node.first, node.count);
  if (keys.front().key != keys.back().key) return;
  const auto position = std::span(bodies.position).subspan(node.first, node.count);
  const auto mass = std::span(bodies.mass).subspan(node.first, node.count);
  const CurveGrid grid(box_around(position));
  std::vector<KeyedIndex> sorted(keys.size()), scratch(keys.size());
  for (std::uint32_t k = 0; k < sorted.size(); ++k) sorted[k] = {grid.key(position[k]), k};
  sort_run(sorted, scratch);
  const std::vector<Vec3> old_position(position.begin(), position.end());
  const std::vector<float> old_mass(mass.begin(), mass.end());
  const auto order = std::span(bodies.order).subspan(node.first, node.count);
  const std::vector<std::uint32_t> old_order(order.begin(), order.end());
  for (std::size_t k = 0; k < sorted.size(); ++k) {
    const auto from = sorted[k].index;
    position[k] = old_position[from], mass[k] = old_mass[from], order[k] = old_order[from];
    keys[k] = {sorted[k].key, order[k]};
  }
}

std::uint32_t count_parts(const Borders& borders) {
  std::uint32_t parts = 0;
  for (std::size_t k = 0; k < 8; ++k) parts += borders[k + 1] > borders[k] ? 1 : 0;
  return parts;
}

void write_parts(const Borders& borders, TreeNode* parts) {
  for (std::size_t k = 0; k < 8; ++k) {
    if (borders[k + 1] == borders[k]) continue;
    *parts++ = {.first = borders[k], .count = borders[k + 1] - borders[k]};
  }
}

/// Vectors only grow: what an earlier, larger tree left behind the end costs less than to write zeros.
template <typename T>
void make_room(std::vector<T>& vector, std::size_t count) {
  if (vector.size() < count) vector.resize(count + count / 2);
}

}  // namespace

void Octree::build(std::span<const Vec3> position, std::span<const float> mass, const OctreeShape& shape,
                   int threads) {
  sort_.sort(position, mass, CurveGrid(box_around(position, threads)), threads, bodies_);
  grow(std::max<std::size_t>(1, shape.leaf_size), threads);
  if (!shape.third_moments) third_.clear();
  if (shape.third_moments) make_room(third_, levels_.back());
  weigh(threads);
}

void Octree::move(std::span<const Vec3> position, std::span<const float> mass, int threads) {
  const std::size_t count = bodies_.order.size();
#pragma omp parallel for schedule(static) num_threads(threads_for(count, threads))
  for (std::size_t k = 0; k < count; ++k) {
    bodies_.position[k] = position[bodies_.order[k]];
    bodies_.mass[k] = mass[bodies_.order[k]];
  }
  weigh(threads);
}

/// Sums of cells, from the last level up.
void Octree::weigh(int threads) {
  make_room(boxes_, levels_.back());
  make_room(moments_, levels_.back());
  const NodeNumbers numbers{nodes_, boxes_, moments_, third_};
  for (std::size_t level = levels_.size() - 1; level-- > 0;) {
    const std::size_t first = levels_[level], last = levels_[level + 1];
#pragma omp parallel for schedule(dynamic, cells_at_once(last - first, threads)) \
    num_threads(threads_for(last - first, threads))
    for (std::size_t k = first; k < last; ++k) weigh_node(bodies_.position, bodies_.mass, numbers, k);
  }
}

void Octree::grow(std::size_t leaf_size, int threads) {
  make_room(nodes_, 1);
  nodes_.front() = {.count = static_cast<std::uint32_t>(bodies_.keys.size())};
  levels_.assign({0, 1});
  while (true) {
    const std::size_t end = add_level(leaf_size, threads);
    if (end == levels_.back()) return;
    levels_.push_back(end);
  }
}

/// The parts of the last level's cells that are too large for a leaf. Where they end.
std::size_t Octree::add_level(std::size_t leaf_size, int threads) {
  const std::size_t first = levels_[levels_.size() - 2], last = levels_.back();
  make_room(borders_, last - first);
#pragma omp parallel for schedule(dynamic, cells_at_once(last - first, threads)) \
    num_threads(threads_for(last - first, threads))
  for (std::size_t k = first; k < last; ++k) {
    if (nodes_[k].count <= leaf_size) continue;
    refine(bodies_, nodes_[k]);
    borders_[k - first] = borders_of(bodies_.keys, nodes_[k]);
    nodes_[k].children = count_parts(borders_[k - first]);
  }
  std::size_t end = last;
  for (std::size_t k = first; k < last; ++k) {
    if (nodes_[k].is_leaf()) continue;
    nodes_[k].child = static_cast<std::uint32_t>(end);
    end += nodes_[k].children;
  }
  make_room(nodes_, end);
#pragma omp parallel for schedule(static) num_threads(threads_for(last - first, threads))
  for (std::size_t k = first; k < last; ++k) {
    if (!nodes_[k].is_leaf()) write_parts(borders_[k - first], &nodes_[nodes_[k].child]);
  }
  return end;
}

}  // namespace orrery::sim
