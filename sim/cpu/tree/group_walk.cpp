#include "sim/cpu/tree/group_walk.h"

#include <algorithm>
#include <cmath>

namespace orrery::sim {

namespace {

/// A cell costs as much as this many bodies.
constexpr std::uint32_t bodies_a_cell = 3;

/// How far x lies outside [least, most].
float outside(float least, float x, float most) { return std::max({least - x, x - most, 0.0F}); }

Vec3 middle_of(const Box& box) {
  return static_cast<Vec3>((static_cast<DVec3>(box.least) + static_cast<DVec3>(box.most)) * 0.5);
}

}  // namespace

float GroupWalk::squared_distance(const Vec3& point) const {
  const Vec3 d{outside(box_.least.x, point.x, box_.most.x), outside(box_.least.y, point.y, box_.most.y),
               outside(box_.least.z, point.z, box_.most.z)};
  return dot(d, d);
}

void GroupWalk::push_parts(const TreeNode& node) {
  for (std::uint32_t k = 0; k < node.children; ++k) stack_.push_back(node.child + k);
}

/// Where pulls cancel, as in the middle of a galaxy, a tenth of their sum counts instead: an error relative
/// to nothing cannot be kept.
float GroupWalk::coarse_acceleration() {
  constexpr float opening = 1.0F, kept_of_sum = 0.1F;
  Vec3 sum;
  float size = 0.0F;
  stack_.assign(1, 0);
  while (!stack_.empty()) {
    const auto& node = tree_.nodes()[stack_.back()];
    stack_.pop_back();
    const Vec3 d = node.center - center_;
    const float squared = dot(d, d);
    if (!node.is_leaf() && !(squared * opening > node.size * node.size)) {
      push_parts(node);
      continue;
    }
    const float softened = squared + softening_squared_;
    if (!(softened > 0.0F)) continue;
    const float pull = node.mass / (softened * std::sqrt(softened));
    sum += pull * d;
    size += pull * std::sqrt(squared);
  }
  return std::max(norm(sum), kept_of_sum * size);
}

bool GroupWalk::is_far(const TreeNode& node, float squared_distance) const {
  const float d = std::sqrt(squared_distance);
  if (!settings_.relative)
    return d * static_cast<float>(settings_.theta) >
           node.size + static_cast<float>(settings_.theta) * node.offset;
  const float ratio = node.reach / d;
  return ratio < 1.0F && node.mass * ratio * ratio * ratio < allowed_ * squared_distance;
}

void GroupWalk::add_cell(const TreeNode& node, GroupSources& sources) const {
  const Vec3 d = node.center - center_;
  const auto& m = node.moment;
  sources.cells.push_back({d.x, d.y, d.z, node.mass, m[0], m[1], m[2], m[3], m[4], m[5]});
}

void GroupWalk::add_bodies(const TreeNode& node, GroupSources& sources) const {
  const auto position = tree_.position().subspan(node.first, node.count);
  const auto mass = tree_.mass().subspan(node.first, node.count);
  for (std::size_t i = 0; i < position.size(); ++i) {
    const Vec3 d = position[i] - center_;
    sources.bodies.push_back({d.x, d.y, d.z, mass[i]});
  }
}

bool GroupWalk::collect(std::size_t first, std::size_t count, std::size_t most, GroupSources& sources) {
  box_ = box_around(tree_.position().subspan(first, count));
  center_ = middle_of(box_);
  if (settings_.relative) allowed_ = static_cast<float>(settings_.alpha) * coarse_acceleration();
  sources.bodies.clear();
  sources.cells.clear();
  stack_.assign(1, 0);
  while (!stack_.empty()) {
    const auto& node = tree_.nodes()[stack_.back()];
    stack_.pop_back();
    if (!(node.mass > 0.0F)) continue;
    const bool few = node.is_leaf() && node.count <= bodies_a_cell;
    if (!few && is_far(node, squared_distance(node.center))) {
      add_cell(node, sources);
    } else if (node.is_leaf()) {
      add_bodies(node, sources);
      if (sources.bodies.size() > most) return false;
    } else {
      push_parts(node);
    }
  }
  return true;
}

}  // namespace orrery::sim
