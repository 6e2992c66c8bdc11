#include "sim/tree/tree_moments.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/tree/shared/tree_numbers.h"

namespace orrery::sim {

namespace {

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

}  // namespace

void weigh_node(std::span<const Vec3> position, std::span<const float> mass, const NodeNumbers& all,
                std::size_t index) {
  if (all.nodes[index].is_leaf()) return weigh_leaf(position, mass, all, index);
  weigh_parts(all, index);
}

}  // namespace orrery::sim
