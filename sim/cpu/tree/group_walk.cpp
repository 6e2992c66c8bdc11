#include "sim/cpu/tree/group_walk.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace orrery::sim {

namespace {

/// A group as small as this, or smaller than this part of the tree, has no series: it would not pay, or
/// single precision could not hold the powers of its radius.
constexpr std::size_t least_for_series = 8;
constexpr float least_radius = 1e-7F;

void make_room(GroupSources& sources, std::size_t cells) {
  sources.cells.resize(cells);
  for (auto& column : sources.far) column.resize(std::max(column.size(), cells + most_group));
}

/// Massless copies of the last cell up to a whole vector.
void pad_far(GroupSources& sources) {
  const std::size_t count = sources.far_count;
  if (count == 0) return;
  for (std::size_t k = 0; k < sources.far.size(); ++k) {
    const float filled = k < 3 ? sources.far[k][count - 1] : 0.0F;
    std::fill_n(sources.far[k].begin() + static_cast<std::ptrdiff_t>(count), most_group, filled);
  }
}

}  // namespace

float opening_factor(const TreeSettings& settings, float coarse_pull) {
  if (!settings.relative) return 1.0F;
  const double allowed = settings.alpha * static_cast<double>(coarse_pull);
  return static_cast<float>(std::pow(allowed, settings.quadrupoles ? -0.4 : -0.5));
}

GroupWalk::GroupWalk(const Octree& tree, const WalkTable& table, const TreeSettings& settings,
                     const InstructionSet& instructions)
    : GroupWalk({tree.position(), tree.view(), table, {}}, settings, instructions) {}

GroupWalk::GroupWalk(const Trees& trees, const TreeSettings& settings, const InstructionSet& instructions)
    : trees_(trees), settings_(settings), eta_(series_ratio(settings)) {
  walk_.table = &trees_.table;
  walk_.instructions = &instructions;
}

/// The group's box, and from where its places count.
Box GroupWalk::place(std::size_t first, std::size_t count) {
  const Box box = box_around(trees_.bodies.subspan(first, count));
  const float scale = trees_.table.length_scale;
  walk_.least[0] = box.least.x * scale, walk_.most[0] = box.most.x * scale;
  walk_.least[1] = box.least.y * scale, walk_.most[1] = box.most.y * scale;
  walk_.least[2] = box.least.z * scale, walk_.most[2] = box.most.z * scale;
  center_ = trees_.bodies[first + count / 2];
  return box;
}

float GroupWalk::pull_of_all() {
  walk_.most_bodies = std::numeric_limits<std::size_t>::max();
  if (trees_.all_tables.empty()) return walk_.coarse_pull().size();
  CoarsePull pull;
  for (const auto* table : trees_.all_tables) {
    walk_.table = table;
    pull += walk_.coarse_pull();
  }
  walk_.table = &trees_.table;
  return pull.size();
}

float GroupWalk::find_coarse_pull(std::size_t first, std::size_t count) {
  place(first, count);
  return pull_of_all();
}

/// Where nothing pulls no cell is far.
void GroupWalk::set_opening() {
  if (!settings_.relative) return;
  coarse_pull_ = known_pull_ ? *known_pull_ : pull_of_all();
  known_pull_.reset();
  walk_.factor = opening_factor(settings_, coarse_pull_);
}

void GroupWalk::place_series(std::size_t first, std::size_t count, GroupSources& sources) {
  float squared = 0.0F;
  for (const auto& x : trees_.bodies.subspan(first, count)) {
    const Vec3 d = x - sources.middle;
    squared = std::max(squared, dot(d, d));
  }
  sources.radius = std::sqrt(squared);
  const bool holds =
      sources.radius > least_radius * trees_.sources.nodes[0].size && count >= least_for_series;
  series_squared_ =
      holds ? static_cast<float>(squared / (eta_ * eta_)) : std::numeric_limits<float>::infinity();
}

/// Each to the cells, or to those of the series.
void GroupWalk::add_cells(GroupSources& sources) const {
  make_room(sources, walk_.cell_count);
  constexpr SecondMoments none{};
  std::size_t cells = 0, far = 0;
  for (std::size_t k = 0; k < walk_.cell_count; ++k) {
    const auto& node = trees_.sources.nodes[walk_.cells[k]];
    const auto& m = settings_.quadrupoles ? trees_.sources.moments[walk_.cells[k]] : none;
    const Vec3 d = node.center - sources.middle;
    if (dot(d, d) > series_squared_) {
      sources.far[0][far] = d.x, sources.far[1][far] = d.y, sources.far[2][far] = d.z;
      sources.far[3][far] = node.mass;
      for (std::size_t i = 0; i < 6; ++i) sources.far[4 + i][far] = m[i];
      ++far;
    } else {
      const Vec3 c = node.center - center_;
      sources.cells[cells++] = {c.x, c.y, c.z, node.mass, m[0], m[1], m[2], m[3], m[4], m[5]};
    }
  }
  sources.cells.resize(cells);
  sources.far_count = far;
  pad_far(sources);
}

void GroupWalk::add_bodies(GroupSources& sources) const {
  sources.bodies.resize(walk_.body_count);
  auto* to = sources.bodies.data();
  for (std::size_t k = 0; k < walk_.leaf_count; ++k) {
    const auto& leaf = trees_.sources.nodes[walk_.leaves[k]];
    const Vec3* position = &trees_.sources.position[leaf.first];
    const float* mass = &trees_.sources.mass[leaf.first];
    for (std::size_t i = 0; i < leaf.count; ++i) {
      const Vec3 d = position[i] - center_;
      *to++ = {d.x, d.y, d.z, mass[i]};
    }
  }
}

bool GroupWalk::collect(std::size_t first, std::size_t count, std::size_t most, GroupSources& sources) {
  sources.middle = static_cast<Vec3>(middle_of(place(first, count)));
  set_opening();
  walk_.most_bodies = most;
  walk_.walk();
  if (walk_.body_count > most) return false;
  place_series(first, count, sources);
  add_cells(sources);
  add_bodies(sources);
  return true;
}

}  // namespace orrery::sim
