#include "sim/tree/tree_potential.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace orrery::sim {

namespace {

constexpr std::size_t most_bodies = 256;

double outside(float least, double x, float most) {
  return std::max({static_cast<double>(least) - x, x - static_cast<double>(most), 0.0});
}

double squared_distance(const Box& box, const Vec3& point) {
  const DVec3 d{outside(box.least.x, point.x, box.most.x), outside(box.least.y, point.y, box.most.y),
                outside(box.least.z, point.z, box.most.z)};
  return dot(d, d);
}

/// A power of two that brings a number to between 1/2 and 1; 1 for 0.
float power_for(double size) {
  if (!(size > 0.0)) return 1.0F;
  return static_cast<float>(std::ldexp(1.0, std::clamp(-std::ilogb(size) - 1, -126, 126)));
}

}  // namespace

TreePotential::TreePotential(const Octree& tree, double softening_squared, double theta)
    : tree_(tree), inverse_theta_(theta > 0.0 ? 1.0 / theta : 0.0) {
  const auto nodes = tree.nodes();
  // The size of bodies in one place is no scale.
  const double size = nodes[0].size, least = 1e-8 * norm(static_cast<DVec3>(nodes[0].center));
  length_scale_ = power_for(std::max({size, least, std::sqrt(softening_squared)}));
  mass_scale_ = power_for(nodes[0].mass);
  softening_squared_ = static_cast<float>(softening_squared * length_scale_ * length_scale_);
  std::vector<std::uint32_t> stack{0};
  while (!stack.empty()) {
    const std::uint32_t k = stack.back();
    stack.pop_back();
    if (!(nodes[k].mass > 0.0F)) continue;
    if (nodes[k].is_leaf() || nodes[k].count <= most_bodies) {
      groups_.push_back(k);
      continue;
    }
    for (std::uint32_t part = nodes[k].children; part-- > 0;) stack.push_back(nodes[k].child + part);
  }
}

bool TreePotential::is_far(const TreeNode& node, const Box& box) const {
  const double squared = squared_distance(box, node.center), reach = node.reach;
  // A cell that holds bodies of the group would pull them by themselves.
  if (!(inverse_theta_ > 0.0) || squared <= reach * reach) return false;
  const double least = node.size * inverse_theta_ + static_cast<double>(node.offset);
  return squared > least * least;
}

std::array<float, 3> TreePotential::scaled(const Vec3& place) const {
  return {place.x * length_scale_, place.y * length_scale_, place.z * length_scale_};
}

void TreePotential::add_cell(std::uint32_t node, PotentialSources& sources) const {
  const auto at = scaled(tree_.nodes()[node].center);
  const auto& m = tree_.moments()[node];
  const auto moment = [&](std::size_t k) { return m[k] * length_scale_ * length_scale_ * mass_scale_; };
  sources.add(PotentialSources::Cell{at[0], at[1], at[2], tree_.nodes()[node].mass * mass_scale_, moment(0),
                                     moment(1), moment(2), moment(3), moment(4), moment(5)});
}

void TreePotential::add_bodies(const TreeNode& node, PotentialSources& sources) const {
  for (std::size_t i = node.first; i < std::size_t{node.first} + node.count; ++i) {
    const auto at = scaled(tree_.position()[i]);
    sources.add(PotentialSources::Body{at[0], at[1], at[2], tree_.mass()[i] * mass_scale_});
  }
}

/// The group's own bodies come first.
void TreePotential::collect(const TreeNode& group, Scratch& scratch) const {
  const Box box = box_around(tree_.position().subspan(group.first, group.count));
  scratch.sources.clear();
  add_bodies(group, scratch.sources);
  scratch.stack.assign(1, 0);
  while (!scratch.stack.empty()) {
    const std::uint32_t index = scratch.stack.back();
    scratch.stack.pop_back();
    const auto& node = tree_.nodes()[index];
    if (&node == &group || !(node.mass > 0.0F)) continue;
    if (node.count > 2 && is_far(node, box)) {
      add_cell(index, scratch.sources);
    } else if (node.is_leaf()) {
      add_bodies(node, scratch.sources);
    } else {
      for (std::uint32_t k = node.children; k-- > 0;) scratch.stack.push_back(node.child + k);
    }
  }
  scratch.sources.pad();
}

void TreePotential::sum(std::size_t group, Scratch& scratch, std::span<double> potential) const {
  const auto& node = tree_.nodes()[groups_[group]];
  collect(node, scratch);
  const double scale = static_cast<double>(length_scale_) / mass_scale_;
  for (std::size_t k = 0; k < node.count; ++k) {
    auto& own_mass = scratch.sources.body_mass(k);
    const float mass = std::exchange(own_mass, 0.0F);
    const std::size_t place = node.first + k;
    potential[place] =
        scale * potential_sum(scratch.sources, scaled(tree_.position()[place]), softening_squared_);
    own_mass = mass;
  }
}

}  // namespace orrery::sim
