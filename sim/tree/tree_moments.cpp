#include "sim/tree/tree_moments.h"

#include <algorithm>
#include <cmath>

namespace orrery::sim {

namespace {

/// Mass and first moment, then second moments about a centre.
struct Sums {
  double mass = 0.0;
  DVec3 first;
  std::array<double, 6> second = {};

  void add_mass(double m, const DVec3& x) {
    mass += m;
    first += x * m;
  }
  void add_second(double m, const DVec3& d) {
    second[0] += m * d.x * d.x;
    second[1] += m * d.x * d.y;
    second[2] += m * d.x * d.z;
    second[3] += m * d.y * d.y;
    second[4] += m * d.y * d.z;
    second[5] += m * d.z * d.z;
  }
};

/// The distance from x to the farthest corner.
double reach_of(const Box& box, const DVec3& x) {
  const DVec3 below = x - static_cast<DVec3>(box.least), above = static_cast<DVec3>(box.most) - x;
  return norm(DVec3{std::max(below.x, above.x), std::max(below.y, above.y), std::max(below.z, above.z)});
}

/// A float that is not below.
float rounded_up(double value) {
  return std::nextafter(static_cast<float>(value), std::numeric_limits<float>::infinity());
}

void place(TreeNode& node, const Box& box, const Sums& sums) {
  const DVec3 sides = static_cast<DVec3>(box.most) - static_cast<DVec3>(box.least);
  node.mass = static_cast<float>(sums.mass);
  node.center = static_cast<Vec3>(sums.mass > 0.0 ? sums.first * (1.0 / sums.mass) : middle_of(box));
  const auto center = static_cast<DVec3>(node.center);
  node.size = rounded_up(std::max({sides.x, sides.y, sides.z}));
  node.offset = rounded_up(norm(center - middle_of(box)));
  node.reach = rounded_up(reach_of(box, center));
}

SecondMoments narrowed(const Sums& sums) {
  SecondMoments moments;
  std::ranges::transform(sums.second, moments.begin(), [](double m) { return static_cast<float>(m); });
  return moments;
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
  for (std::size_t i = 0; i < x.size(); ++i) sums.add_second(m[i], static_cast<DVec3>(x[i]) - center);
  all.moments[index] = narrowed(sums);
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
  for (std::size_t part = node.child; part < node.child + node.children; ++part) {
    for (std::size_t k = 0; k < 6; ++k) sums.second[k] += all.moments[part][k];
    sums.add_second(all.nodes[part].mass, static_cast<DVec3>(all.nodes[part].center) - center);
  }
  all.moments[index] = narrowed(sums);
}

}  // namespace

void weigh_node(std::span<const Vec3> position, std::span<const float> mass, const NodeNumbers& all,
                std::size_t index) {
  if (all.nodes[index].is_leaf()) return weigh_leaf(position, mass, all, index);
  weigh_parts(all, index);
}

}  // namespace orrery::sim
