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

/// Numbers of the widest vector.
constexpr std::size_t most_lanes = 16;

/// Massless copies of the last cell up to a whole vector.
void pad_far(GroupSources& sources) {
  const std::size_t count = sources.far_count;
  if (count == 0) return;
  const auto pad = [count](std::vector<float>& column, float filled) {
    if (!column.empty()) std::fill_n(column.begin() + static_cast<std::ptrdiff_t>(count), most_lanes, filled);
  };
  for (std::size_t k = 0; k < sources.far.size(); ++k)
    pad(sources.far[k], k < 3 ? sources.far[k][count - 1] : 0.0F);
  for (auto& column : sources.far_third) pad(column, 0.0F);
}

GroupSources::Cell cell_of(const CellNumbers& numbers, const Vec3& from) {
  const auto& n = numbers.number;
  GroupSources::Cell cell = {n[0] - from.x, n[1] - from.y, n[2] - from.z, n[3]};
  for (std::size_t i = 4; i < 10; ++i) cell[i] = -3.0F * n[i];
  cell[10] = 0.5F * (cell[4] + cell[7] + cell[9]);
  return cell;
}

GroupSources::Third third_of(const ThirdNumbers& third) {
  const auto& n = third.number;
  return {n[0], n[1], n[2], n[3], n[4], n[5], n[6], -(n[0] + n[3]), -(n[1] + n[5])};
}

}  // namespace

GroupWalk::GroupWalk(const Octree& tree, const WalkTable& table, const TreeSettings& settings,
                     const InstructionSet& instructions)
    : tree_(tree), table_(table), settings_(settings), eta_(series_ratio(settings)) {
  walk_.table = &table_;
  walk_.instructions = &instructions;
}

/// The group's box, and from where its places count.
Box GroupWalk::place(std::size_t first, std::size_t count) {
  const Box box = box_around(tree_.position().subspan(first, count));
  const float scale = table_.length_scale;
  walk_.least[0] = box.least.x * scale, walk_.most[0] = box.most.x * scale;
  walk_.least[1] = box.least.y * scale, walk_.most[1] = box.most.y * scale;
  walk_.least[2] = box.least.z * scale, walk_.most[2] = box.most.z * scale;
  const float margin = 0.5F * (1.0F - static_cast<float>(table_.rule.inner_part));
  for (int axis = 0; axis < 3; ++axis) {
    const float inside = margin * (walk_.most[axis] - walk_.least[axis]);
    walk_.inner_least[axis] = walk_.least[axis] + inside, walk_.inner_most[axis] = walk_.most[axis] - inside;
  }
  center_ = tree_.position()[first + count / 2];
  return box;
}

/// Where nothing pulls no cell is far.
void GroupWalk::set_opening() {
  if (!settings_.relative) return;
  walk_.most_bodies = std::numeric_limits<std::size_t>::max();
  coarse_pull_ = walk_.coarse_pull();
  const double allowed = settings_.alpha * static_cast<double>(coarse_pull_);
  walk_.factor = static_cast<float>(std::pow(allowed, -distance_power(settings_.order)));
}

void GroupWalk::place_series(std::size_t first, std::size_t count, GroupSources& sources) {
  float squared = 0.0F;
  for (const auto& x : tree_.position().subspan(first, count)) {
    const Vec3 d = x - sources.middle;
    squared = std::max(squared, dot(d, d));
  }
  sources.radius = std::sqrt(squared);
  const bool holds = sources.radius > least_radius * tree_.nodes()[0].size && count >= least_for_series;
  const float scale = table_.length_scale;
  const Vec3 middle = sources.middle * scale;
  walk_.middle[0] = middle.x, walk_.middle[1] = middle.y, walk_.middle[2] = middle.z;
  walk_.series_squared = holds ? static_cast<float>(squared / (eta_ * eta_)) * scale * scale
                               : std::numeric_limits<float>::infinity();
}

void GroupWalk::add_cells(GroupSources& sources) {
  const std::size_t thirds = walk_.third_count;
  sources.cells.resize(thirds + walk_.cell_count);
  sources.third.resize(thirds);
  for (std::size_t k = 0; k < thirds; ++k) {
    sources.cells[k] = cell_of(table_.cells[walk_.third[k]], center_);
    sources.third[k] = third_of(table_.third[walk_.third[k]]);
  }
  for (std::size_t k = 0; k < walk_.cell_count; ++k)
    sources.cells[thirds + k] = cell_of(table_.cells[walk_.cells[k]], center_);
  add_far_cells(sources);
}

void GroupWalk::add_far_cells(GroupSources& sources) {
  sources.far_count = walk_.far_count;
  const auto make_room = [&](std::vector<float>& column) {
    column.resize(std::max(column.size(), walk_.far_count + most_lanes));
  };
  std::ranges::for_each(sources.far, make_room);
  walk_.copy_far(sources.middle, sources.far);
  if (!table_.third.empty()) {
    std::ranges::for_each(sources.far_third, make_room);
    walk_.copy_far_third(sources.far_third);
  }
  pad_far(sources);
}

bool GroupWalk::collect(std::size_t first, std::size_t count, std::size_t most, GroupSources& sources) {
  sources.middle = static_cast<Vec3>(middle_of(place(first, count)));
  set_opening();
  place_series(first, count, sources);
  walk_.most_bodies = most;
  walk_.walk();
  if (walk_.body_count > most) return false;
  add_cells(sources);
  sources.bodies.resize(walk_.body_count);
  walk_.copy_bodies(tree_, sources.bodies);
  return true;
}

}  // namespace orrery::sim
