#include "sim/cpu/tree/group_walk.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace orrery::sim {

namespace {

/// A cell costs as much as this many bodies.
constexpr std::uint32_t bodies_a_cell = 3;

/// A group as small as this, or smaller than this part of the tree, has no series: it would not pay, or
/// single precision could not hold the powers of its radius.
constexpr std::size_t least_for_series = 8;
constexpr float least_radius = 1e-7F;

/// Massless copies of the last cell up to a whole vector.
void pad_far(GroupSources& sources) {
  const std::size_t count = sources.far_count;
  if (count == 0) return;
  for (auto& column : sources.far) column.resize(std::max(column.size(), count + most_group));
  for (std::size_t k = 0; k < 10; ++k) {
    const float filled = k < 3 ? sources.far[k][count - 1] : 0.0F;
    std::fill_n(sources.far[k].begin() + static_cast<std::ptrdiff_t>(count), most_group, filled);
  }
}

/// How far x lies outside [least, most].
float outside(float least, float x, float most) { return std::max({least - x, x - most, 0.0F}); }

}  // namespace

double GroupWalk::squared_distance(const Vec3& point) const {
  const Vec3 d{outside(box_.least.x, point.x, box_.most.x), outside(box_.least.y, point.y, box_.most.y),
               outside(box_.least.z, point.z, box_.most.z)};
  return dot(static_cast<DVec3>(d), static_cast<DVec3>(d));
}

void GroupWalk::push_parts(const TreeNode& node) {
  for (std::uint32_t k = 0; k < node.children; ++k) stack_.push_back(node.child + k);
}

/// Where pulls cancel, as in the middle of a galaxy, a hundredth of their sum counts instead: an error
/// relative to nothing cannot be kept. Bodies in the group's own box are left out: as a cell they would pull
/// hard.
float GroupWalk::coarse_acceleration() {
  constexpr float opening = 1.0F, kept_of_sum = 0.01F;
  const auto middle = static_cast<Vec3>(middle_of(box_));
  Vec3 sum;
  float size = 0.0F;
  stack_.assign(1, 0);
  while (!stack_.empty()) {
    const auto& node = tree_.nodes()[stack_.back()];
    stack_.pop_back();
    const Vec3 d = node.center - middle;
    const float squared = dot(d, d);
    if (!node.is_leaf() && !(squared * opening > node.size * node.size)) {
      push_parts(node);
      continue;
    }
    if (!(squared_distance(node.center) > 0.0)) continue;
    const float softened = squared + softening_squared_;
    const float pull = node.mass / (softened * std::sqrt(softened));
    sum += pull * d;
    size += pull * std::sqrt(squared);
  }
  return std::max(norm(sum), kept_of_sum * size);
}

/// Squares on both sides: roots and quotients take longer than the rest of a walk. In double precision, which
/// holds the tenth power of a distance.
bool GroupWalk::is_far(const TreeNode& node) const {
  const double squared = squared_distance(node.center);
  // A cell that holds bodies of the group would pull them by themselves.
  const double reach = node.reach;
  const bool is_outside = squared > reach * reach;
  if (!settings_.relative) {
    const double least = node.size * inverse_theta_ + static_cast<double>(node.offset);
    return settings_.theta > 0.0 && squared > least * least && is_outside;
  }
  const double left_out = node.mass * reach * reach * reach, fourth = squared * squared;
  return is_outside & (left_out * left_out < allowed_squared_ * fourth * fourth * squared);
}

/// Where the group's series holds what far cells do: beyond its radius / eta. The error of a series has one
/// sign for all that lies on one side, so eta does not depend on the pull. Its values are those of an
/// experiment on a GPU (docs/trees.md).
void GroupWalk::place_series(std::size_t first, std::size_t count, GroupSources& sources) {
  sources.middle = static_cast<Vec3>(middle_of(box_));
  float squared = 0.0F;
  for (const auto& x : tree_.position().subspan(first, count)) {
    const Vec3 d = x - sources.middle;
    squared = std::max(squared, dot(d, d));
  }
  sources.radius = std::sqrt(squared);
  const double eta =
      settings_.relative ? 0.3 * std::pow(settings_.alpha / 0.01, 0.15) : 0.05 + 0.31 * settings_.theta;
  const bool holds = sources.radius > least_radius * tree_.nodes()[0].size && count >= least_for_series;
  series_squared_ =
      holds ? static_cast<float>(squared / (eta * eta)) : std::numeric_limits<float>::infinity();
}

void GroupWalk::add_far_cell(std::uint32_t index, const Vec3& place, GroupSources& sources) const {
  if (sources.far_count == sources.far[0].size()) {
    for (auto& column : sources.far) column.resize(2 * sources.far_count + most_group);
  }
  const std::size_t k = sources.far_count++;
  sources.far[0][k] = place.x, sources.far[1][k] = place.y, sources.far[2][k] = place.z;
  sources.far[3][k] = tree_.nodes()[index].mass;
  for (std::size_t m = 0; m < 6; ++m) sources.far[4 + m][k] = tree_.moments()[index][m];
}

void GroupWalk::add_cell(std::uint32_t index, GroupSources& sources) const {
  const auto& node = tree_.nodes()[index];
  const Vec3 from_middle = node.center - sources.middle;
  if (dot(from_middle, from_middle) > series_squared_) return add_far_cell(index, from_middle, sources);
  const Vec3 d = node.center - center_;
  const auto& m = tree_.moments()[index];
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

/// Uses a node, or notes it for its parts to be met.
void GroupWalk::meet(std::uint32_t index, GroupSources& sources) {
  const auto& node = tree_.nodes()[index];
  if (!(node.mass > 0.0F)) return;
  const bool few = node.is_leaf() && node.count <= bodies_a_cell;
  if (!few && is_far(node)) return add_cell(index, sources);
  if (!node.is_leaf()) return stack_.push_back(index);
  add_bodies(node, sources);
}

bool GroupWalk::collect(std::size_t first, std::size_t count, std::size_t most, GroupSources& sources) {
  box_ = box_around(tree_.position().subspan(first, count));
  center_ = tree_.position()[first + count / 2];
  if (settings_.relative) {
    const double allowed = settings_.alpha * static_cast<double>(coarse_acceleration());
    allowed_squared_ = allowed * allowed;
  } else if (settings_.theta > 0.0) {
    inverse_theta_ = 1.0 / settings_.theta;
  }
  sources.bodies.clear();
  sources.cells.clear();
  sources.far_count = 0;
  place_series(first, count, sources);
  stack_.clear();
  meet(0, sources);
  while (!stack_.empty()) {
    const auto& node = tree_.nodes()[stack_.back()];
    stack_.pop_back();
    for (std::uint32_t k = 0; k < node.children; ++k) meet(node.child + k, sources);
    if (sources.bodies.size() > most) return false;
  }
  pad_far(sources);
  return true;
}

}  // namespace orrery::sim
