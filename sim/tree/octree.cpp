#include "sim/tree/octree.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "sim/tree/curve_grid.h"
#include "sim/tree/shared/tree_numbers.h"

namespace orrery::sim {

namespace {

/// The numbers of all nodes of a tree, an entry a node each.
struct NodeNumbers {
  std::span<TreeNode> nodes;
  std::span<Box> boxes;
  std::span<SecondMoments> moments;
  std::span<ThirdMoments> third;  ///< empty: not computed
};

/// Mass and first moment, then second moments about a centre.
struct Sums {
  double mass = 0.0;
  DVec3 first;
  SecondSums second = {};

  void add_mass(double m, const DVec3& x) {
    mass += m;
    first += x * m;
  }
  void add_second(double m, const DVec3& d) { sim::add_second(second, m, d.x, d.y, d.z); }
};

/// Third moments about a centre: xxx, xxy, xxz, xyy, xyz, xzz, yyy, yyz, yzz, zzz.
struct ThirdSums {
  std::array<double, 10> sum = {};

  void add_third(double m, const DVec3& d) {
    const DVec3 mx = d * (m * d.x), my = d * (m * d.y);
    sum[0] += mx.x * d.x;
    sum[1] += mx.x * d.y;
    sum[2] += mx.x * d.z;
    sum[3] += mx.y * d.y;
    sum[4] += mx.y * d.z;
    sum[5] += mx.z * d.z;
    sum[6] += my.y * d.y;
    sum[7] += my.y * d.z;
    sum[8] += my.z * d.z;
    sum[9] += m * d.z * d.z * d.z;
  }
  /// Second moments of a part about a centre farther off by d: d_i q_jk + d_j q_ik + d_k q_ij.
  void add_moved(const SecondMoments& q, const DVec3& d) {
    sum[0] += 3.0 * d.x * q[0];
    sum[1] += 2.0 * d.x * q[1] + d.y * q[0];
    sum[2] += 2.0 * d.x * q[2] + d.z * q[0];
    sum[3] += d.x * q[3] + 2.0 * d.y * q[1];
    sum[4] += d.x * q[4] + d.y * q[2] + d.z * q[1];
    sum[5] += d.x * q[5] + 2.0 * d.z * q[2];
    sum[6] += 3.0 * d.y * q[3];
    sum[7] += 2.0 * d.y * q[4] + d.z * q[3];
    sum[8] += d.y * q[5] + 2.0 * d.z * q[4];
    sum[9] += 3.0 * d.z * q[5];
  }
  /// Without traces: less a fifth of ([ij] t_k + [ik] t_j + [jk] t_i), t_k the sum over two equal indices.
  std::array<double, 7> traceless() const {
    const DVec3 t = DVec3{sum[0] + sum[3] + sum[5], sum[1] + sum[6] + sum[8], sum[2] + sum[7] + sum[9]} * 0.2;
    return {sum[0] - 3.0 * t.x, sum[1] - t.y, sum[2] - t.z, sum[3] - t.x, sum[4],
            sum[6] - 3.0 * t.y, sum[7] - t.z};
  }
};

/// Distance from x to the farthest corner.
double reach_of(const Box& box, const DVec3& x) {
  const DVec3 below = x - static_cast<DVec3>(box.least), above = static_cast<DVec3>(box.most) - x;
  return norm(DVec3{std::max(below.x, above.x), std::max(below.y, above.y), std::max(below.z, above.z)});
}

/// A float that is not below.
float rounded_up(double value) {
  return std::nextafter(static_cast<float>(value), std::numeric_limits<float>::infinity());
}

/// Without its reach.
void place(TreeNode& node, const Box& box, const Sums& sums) {
  const DVec3 sides = static_cast<DVec3>(box.most) - static_cast<DVec3>(box.least);
  node.mass = static_cast<float>(sums.mass);
  node.center = static_cast<Vec3>(sums.mass > 0.0 ? sums.first * (1.0 / sums.mass) : middle_of(box));
  const auto center = static_cast<DVec3>(node.center);
  node.size = rounded_up(std::max({sides.x, sides.y, sides.z}));
  node.offset = rounded_up(norm(center - middle_of(box)));
}

SecondMoments narrowed(const Sums& sums) {
  const auto& s = sums.second;
  const auto narrow = [](double m) { return static_cast<float>(m); };
  return {narrow(s.xx), narrow(s.xy), narrow(s.xz), narrow(s.yy), narrow(s.yz), narrow(s.zz)};
}

/// Over the cell's size: they then fit into single precision where second moments do.
ThirdMoments narrowed(const std::array<double, 7>& third, double size) {
  ThirdMoments moments = {};
  if (size > 0.0)
    std::ranges::transform(third, moments.begin(), [size](double m) { return static_cast<float>(m / size); });
  return moments;
}

ThirdMoments third_of_leaf(std::span<const Vec3> x, std::span<const float> m, const TreeNode& node) {
  const auto center = static_cast<DVec3>(node.center);
  ThirdSums sums;
  for (std::size_t i = 0; i < x.size(); ++i) sums.add_third(m[i], static_cast<DVec3>(x[i]) - center);
  return narrowed(sums.traceless(), node.size);
}

ThirdMoments third_of_parts(const NodeNumbers& all, const TreeNode& node) {
  const auto center = static_cast<DVec3>(node.center);
  ThirdSums sums;
  std::array<double, 7> own = {};
  for (std::size_t part = node.child; part < node.child + node.children; ++part) {
    const DVec3 d = static_cast<DVec3>(all.nodes[part].center) - center;
    sums.add_third(all.nodes[part].mass, d);
    sums.add_moved(all.moments[part], d);
    for (std::size_t k = 0; k < 7; ++k) own[k] += double{all.third[part][k]} * double{all.nodes[part].size};
  }
  const auto moved = sums.traceless();
  for (std::size_t k = 0; k < 7; ++k) own[k] += moved[k];
  return narrowed(own, node.size);
}

void weigh_leaf(std::span<const Vec3> position, std::span<const float> mass, const NodeNumbers& all,
                std::size_t index) {
  auto& node = all.nodes[index];
  const auto x = position.subspan(node.first, node.count);
  const auto m = mass.subspan(node.first, node.count);
  all.boxes[index] = box_around(x);
  Sums sums;
  for (std::size_t i = 0; i < x.size(); ++i) sums.add_mass(m[i], static_cast<DVec3>(x[i]));
  place(node, all.boxes[index], sums);
  const auto center = static_cast<DVec3>(node.center);
  double squared = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const DVec3 d = static_cast<DVec3>(x[i]) - center;
    sums.add_second(m[i], d);
    squared = std::max(squared, dot(d, d));
  }
  node.reach = rounded_up(std::sqrt(squared));
  all.moments[index] = narrowed(sums);
  if (!all.third.empty()) all.third[index] = third_of_leaf(x, m, node);
}

/// Second moments of parts are carried over to the new centre (the parallel axis theorem).
void weigh_parts(const NodeNumbers& all, std::size_t index) {
  auto& node = all.nodes[index];
  auto& box = all.boxes[index] = all.boxes[node.child];
  Sums sums;
  for (std::size_t part = node.child; part < node.child + node.children; ++part) {
    box = joined(box, all.boxes[part]);
    sums.add_mass(all.nodes[part].mass, static_cast<DVec3>(all.nodes[part].center));
  }
  place(node, box, sums);
  const auto center = static_cast<DVec3>(node.center);
  double reach = 0.0;
  for (std::size_t part = node.child; part < node.child + node.children; ++part) {
    const DVec3 d = static_cast<DVec3>(all.nodes[part].center) - center;
    const auto& q = all.moments[part];
    sim::add_second(sums.second, {q[0], q[1], q[2], q[3], q[4], q[5]});
    sums.add_second(all.nodes[part].mass, d);
    reach = std::max(reach, norm(d) + double{all.nodes[part].reach});
  }
  node.reach = rounded_up(std::min(reach, reach_of(box, center)));
  all.moments[index] = narrowed(sums);
  if (!all.third.empty()) all.third[index] = third_of_parts(all, node);
}

/// Works out box, mass, centre of mass and moments of a cell: of a leaf from its bodies, of others
/// from their parts, whose numbers must be there. `position` and `mass` are in the order of the curve. Sums
/// are in double precision.
void weigh_node(std::span<const Vec3> position, std::span<const float> mass, const NodeNumbers& all,
                std::size_t index) {
  if (all.nodes[index].is_leaf()) return weigh_leaf(position, mass, all, index);
  weigh_parts(all, index);
}

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
