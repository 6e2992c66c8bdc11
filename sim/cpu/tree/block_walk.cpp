#include "sim/core/vector_targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sim/cpu/tree/block_walk.cpp"
// Compiles the rest of this file once for each instruction set.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/cpu/tree/block_walk.h"
#include "sim/tree/shared/tree_rule-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orrery::sim {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// A cell has at most 8 parts.
using PartTag = hn::CappedTag<float, 8>;
using PartVector = hn::Vec<PartTag>;
using IndexTag = hn::CappedTag<std::uint32_t, 8>;

struct Parts {
  PartVector x, y, z, outside_squared;

  /// `outside_squared`: the squared distance from the group's box.
  HWY_INLINE Parts(const BlockWalk& walk, std::size_t at) {
    const PartTag d;
    const auto& table = *walk.table;
    x = hn::LoadU(d, table.x.data() + at);
    y = hn::LoadU(d, table.y.data() + at);
    z = hn::LoadU(d, table.z.data() + at);
    outside_squared = squared_distance(walk.least, walk.most);
  }
  HWY_INLINE PartVector squared_distance(const float* least, const float* most) const {
    const PartTag d;
    const auto along = [&](PartVector v, int axis)
                           HWY_ATTR { return outside(v, hn::Set(d, least[axis]), hn::Set(d, most[axis])); };
    const auto dx = along(x, 0), dy = along(y, 1), dz = along(z, 2);
    return hn::Add(hn::Mul(dx, dx), hn::Add(hn::Mul(dy, dy), hn::Mul(dz, dz)));
  }
};

/// Calls meet(at, mask) for the parts of every cell that is noted, which may note others. Parts without mass
/// are left out.
template <typename Meet>
HWY_INLINE void for_each_part(BlockWalk& walk, const Meet& meet) {
  const PartTag d;
  const auto& table = *walk.table;
  const std::size_t lanes = hn::Lanes(d);
  const auto meet_parts = [&](std::size_t first, std::size_t count) HWY_ATTR {
    for (std::size_t k = 0; k < count; k += lanes) {
      const auto heavy = hn::Gt(hn::LoadU(d, table.mass.data() + first + k), hn::Zero(d));
      meet(first + k, hn::And(heavy, hn::FirstN(d, count - k)));
    }
  };
  walk.queue_count = walk.body_count = 0;
  meet_parts(0, 1);
  for (std::size_t next = 0; next < walk.queue_count && walk.body_count <= walk.most_bodies; ++next) {
    const std::uint32_t cell = walk.queue[next];
    meet_parts(table.child[cell], table.children[cell]);
  }
}

/// Not CompressStore, which takes a hundred cycles on some CPUs.
template <class Index, class Mask>
HWY_INLINE std::size_t store_chosen(Index index, Mask mask, std::uint32_t* to) {
  const IndexTag d;
  hn::StoreU(hn::Compress(index, mask), d, to);
  return hn::CountTrue(d, mask);
}

template <class Mask>
HWY_INLINE void note(std::size_t at, Mask mask, std::vector<std::uint32_t>& list, std::size_t& count) {
  const IndexTag d;
  if (list.size() < count + 16) list.resize(2 * count + 1024);
  const auto index = hn::Iota(d, static_cast<std::uint32_t>(at));
  count += store_chosen(index, hn::RebindMask(d, mask), list.data() + count);
}

HWY_INLINE hn::Mask<PartTag> have_parts(const WalkTable& table, std::size_t at) {
  const IndexTag d;
  const auto has = hn::Ne(hn::LoadU(d, table.child.data() + at), hn::Zero(d));
  return hn::RebindMask(PartTag(), has);
}

/// The sum of the chosen counts.
template <class Mask>
HWY_INLINE std::size_t count_bodies(const WalkTable& table, std::size_t at, Mask mask) {
  const IndexTag d;
  const auto counts = hn::IfThenElseZero(hn::RebindMask(d, mask), hn::LoadU(d, table.count.data() + at));
  return hn::GetLane(hn::SumOfLanes(d, counts));
}

/// True for cells so far away that their third moments can be left out (CellRuleOf::second_margin): with x =
/// d^2, and x = opening where third moments just suffice, (x / opening)^5 b^2 > margin opening.
HWY_INLINE hn::Mask<PartTag> second_moments_do(const WalkTable& table, std::size_t at, PartVector squared,
                                               PartVector opening) {
  const PartTag d;
  const auto times = hn::Div(squared, opening), times2 = hn::Mul(times, times);
  const auto power = hn::Mul(hn::Mul(times2, times2), times);
  const auto beyond = hn::Gt(hn::Mul(power, hn::LoadU(d, table.reach.data() + at)),
                             hn::Mul(hn::Set(d, static_cast<float>(table.rule.second_margin)), opening));
  // The opening of bodies in one place is 0.
  return hn::And(beyond, hn::Gt(opening, hn::Zero(d)));
}

void walk_blocks(BlockWalk& walk) {
  const PartTag d;
  const auto& table = *walk.table;
  walk.cell_count = walk.third_count = walk.far_count = walk.leaf_count = 0;
  const auto factor = hn::Set(d, walk.factor), series_squared = hn::Set(d, walk.series_squared);
  const auto mx = hn::Set(d, walk.middle[0]), my = hn::Set(d, walk.middle[1]),
             mz = hn::Set(d, walk.middle[2]);
  for_each_part(walk, [&](std::size_t at, hn::Mask<PartTag> met) HWY_ATTR {
    const Parts parts(walk, at);
    const auto opening = hn::Mul(hn::LoadU(d, table.opening.data() + at), factor);
    const auto counts = distance_that_counts(
        table.rule, parts.squared_distance(walk.inner_least, walk.inner_most), parts.outside_squared);
    const auto far_enough = is_far_enough(table.rule, parts.outside_squared, counts,
                                          hn::LoadU(d, table.reach.data() + at), opening);
    const auto whole = hn::And(far_enough, met);
    const auto near = hn::AndNot(whole, met), inner = have_parts(table, at);
    note(at, hn::And(inner, near), walk.queue, walk.queue_count);
    const auto leaves = hn::AndNot(inner, near);
    note(at, leaves, walk.leaves, walk.leaf_count);
    walk.body_count += count_bodies(table, at, leaves);
    const auto dx = hn::Sub(parts.x, mx), dy = hn::Sub(parts.y, my), dz = hn::Sub(parts.z, mz);
    const auto squared = hn::Add(hn::Add(hn::Mul(dx, dx), hn::Mul(dy, dy)), hn::Mul(dz, dz));
    const auto far = hn::And(whole, hn::Gt(squared, series_squared));
    note(at, far, walk.far, walk.far_count);
    const auto cells = hn::AndNot(far, whole);
    if (table.third.empty()) return note(at, cells, walk.cells, walk.cell_count);
    const auto seconds_do = second_moments_do(table, at, counts, opening);
    note(at, hn::And(seconds_do, cells), walk.cells, walk.cell_count);
    note(at, hn::AndNot(seconds_do, cells), walk.third, walk.third_count);
  });
}

/// The pull as a vector, and the sum of the magnitudes that it is made of.
std::array<float, 4> coarse_pull_of(BlockWalk& walk) {
  const PartTag d;
  const auto& table = *walk.table;
  const auto middle = [&](int axis)
                          HWY_ATTR { return hn::Set(d, 0.5F * (walk.least[axis] + walk.most[axis])); };
  const auto mx = middle(0), my = middle(1), mz = middle(2);
  auto ax = hn::Zero(d), ay = hn::Zero(d), az = hn::Zero(d), size = hn::Zero(d);
  for_each_part(walk, [&](std::size_t at, hn::Mask<PartTag> met) HWY_ATTR {
    const Parts parts(walk, at);
    const auto dx = hn::Sub(parts.x, mx), dy = hn::Sub(parts.y, my), dz = hn::Sub(parts.z, mz);
    const auto squared = hn::Add(hn::Mul(dx, dx), hn::Add(hn::Mul(dy, dy), hn::Mul(dz, dz)));
    const auto small = hn::Gt(squared, hn::LoadU(d, table.size.data() + at));
    const auto opened = hn::And(met, hn::AndNot(small, have_parts(table, at)));
    note(at, opened, walk.queue, walk.queue_count);
    const auto pulls = hn::And(hn::AndNot(opened, met), hn::Gt(parts.outside_squared, hn::Zero(d)));
    const auto softened = hn::Add(squared, hn::Set(d, table.softening_squared));
    const auto cube = hn::Mul(softened, hn::Sqrt(softened));
    const auto pull = hn::IfThenElseZero(pulls, hn::Div(hn::LoadU(d, table.mass.data() + at), cube));
    ax = hn::Add(ax, hn::Mul(pull, dx));
    ay = hn::Add(ay, hn::Mul(pull, dy));
    az = hn::Add(az, hn::Mul(pull, dz));
    size = hn::Add(size, hn::Mul(pull, hn::Sqrt(squared)));
  });
  const auto total = [&](PartVector v) HWY_ATTR { return hn::GetLane(hn::SumOfLanes(d, v)); };
  return {total(ax), total(ay), total(az), total(size)};
}

#if HWY_TARGET == HWY_SCALAR
void far_columns(const CellNumbers* cells, const std::uint32_t* list, std::size_t count, const Vec3& from,
                 float* const* columns) {
  for (std::size_t k = 0; k < count; ++k) {
    const auto& number = cells[list[k]].number;
    const float shift[] = {from.x, from.y, from.z};
    for (std::size_t i = 0; i < 10; ++i) columns[i][k] = i < 3 ? number[i] - shift[i] : number[i];
  }
}

void copy_leaves(const BlockWalk& walk, const Octree& tree, std::array<float, 4>* to) {
  const auto position = tree.position();
  const auto mass = tree.mass();
  for (std::size_t k = 0; k < walk.leaf_count; ++k) {
    const std::size_t first = walk.table->first[walk.leaves[k]],
                      last = first + walk.table->count[walk.leaves[k]];
    for (std::size_t i = first; i < last; ++i) {
      const Vec3& place = position[i];
      *to++ = {place.x, place.y, place.z, mass[i]};
    }
  }
}
#else
using FourTag = hn::FixedTag<float, 4>;
using FourVector = hn::Vec<FourTag>;

/// Four rows of four become four columns.
HWY_INLINE void transpose(const FourVector (&row)[4], FourVector (&column)[4]) {
  const FourTag d;
  const auto lower01 = hn::InterleaveLower(d, row[0], row[1]),
             upper01 = hn::InterleaveUpper(d, row[0], row[1]);
  const auto lower23 = hn::InterleaveLower(d, row[2], row[3]),
             upper23 = hn::InterleaveUpper(d, row[2], row[3]);
  column[0] = hn::ConcatLowerLower(d, lower23, lower01);
  column[1] = hn::ConcatUpperUpper(d, lower23, lower01);
  column[2] = hn::ConcatLowerLower(d, upper23, upper01);
  column[3] = hn::ConcatUpperUpper(d, upper23, upper01);
}

/// Four cells at a time; the list goes on with some cells after its end.
void far_columns(const CellNumbers* cells, const std::uint32_t* list, std::size_t count, const Vec3& from,
                 float* const* columns) {
  const FourTag d;
  const FourVector shift[3] = {hn::Set(d, from.x), hn::Set(d, from.y), hn::Set(d, from.z)};
  for (std::size_t k = 0; k < count; k += 4) {
    for (std::size_t block = 0; block < 12; block += 4) {
      FourVector row[4], column[4];
      for (std::size_t i = 0; i < 4; ++i) row[i] = hn::LoadU(d, cells[list[k + i]].number.data() + block);
      transpose(row, column);
      for (std::size_t i = 0; i < 4 && block + i < 10; ++i)
        hn::StoreU(block + i < 3 ? hn::Sub(column[i], shift[i]) : column[i], d, columns[block + i] + k);
    }
  }
}

/// A position is read with the number behind it. Behind the last one of all there is none.
void copy_leaves(const BlockWalk& walk, const Octree& tree, std::array<float, 4>* to) {
  const FourTag d;
  const auto three = hn::FirstN(d, 3);
  const Vec3* const position = tree.position().data();
  const float* const mass = tree.mass().data();
  const std::size_t end = tree.position().size();
  for (std::size_t k = 0; k < walk.leaf_count; ++k) {
    const std::size_t first = walk.table->first[walk.leaves[k]],
                      last = first + walk.table->count[walk.leaves[k]];
    const std::size_t safe = last == end ? last - 1 : last;
    for (std::size_t i = first; i < safe; ++i, ++to) {
      hn::StoreU(hn::IfThenElse(three, hn::LoadU(d, &position[i].x), hn::Set(d, mass[i])), d, to->data());
    }
    if (safe == last) continue;
    const Vec3& place = position[safe];
    *to++ = {place.x, place.y, place.z, mass[safe]};
  }
}
#endif

}  // namespace HWY_NAMESPACE
}  // namespace orrery::sim
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orrery::sim {

namespace {
HWY_EXPORT(walk_blocks);
HWY_EXPORT(coarse_pull_of);
HWY_EXPORT(far_columns);
HWY_EXPORT(copy_leaves);

constexpr std::size_t room = 16;

float power_of_two_for(double size) {
  if (!(size > 0.0)) return 1.0F;
  return static_cast<float>(std::ldexp(1.0, std::clamp(-std::ilogb(size) - 1, -126, 126)));
}

ThirdNumbers third_numbers(const ThirdMoments& moments, float size) {
  ThirdNumbers numbers;
  std::ranges::transform(moments, numbers.number.begin(), [size](float m) { return 7.5F * size * m; });
  return numbers;
}

}  // namespace

WalkTable::WalkTable(const Octree& tree, const TreeSettings& settings, double eps_squared, int threads) {
  assign(tree, settings, eps_squared, threads);
}

void WalkTable::assign(const Octree& tree, const TreeSettings& settings, double eps_squared, int threads) {
  const auto nodes = tree.nodes();
  const auto& root = nodes[0];
  // The size of bodies in one place is no scale.
  const double distance = norm(static_cast<DVec3>(root.center));
  length_scale = power_of_two_for(std::max({double{root.size}, 1e-8 * distance, std::sqrt(eps_squared)}));
  const double mass_scale = root.mass > 0.0F ? 1.0 / static_cast<double>(root.mass) : 0.0;
  softening_squared = static_cast<float>(eps_squared * length_scale * length_scale);
  rule = cell_rule(settings, root.count);
  const std::size_t entries = nodes.size() + room;
  for (auto* column : {&x, &y, &z, &mass, &opening, &reach, &size}) column->resize(entries);
  for (auto* column : {&child, &children, &count, &first}) column->resize(entries);
  cells.resize(nodes.size());
  third.resize(tree.third().size());
#pragma omp parallel for schedule(static) num_threads(nodes.size() > 1024 ? std::max(1, threads) : 1)
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    fill(nodes[k], settings, k, mass_scale);
    const auto& node = nodes[k];
    const auto m = settings.order != CellOrder::monopole ? tree.moments()[k] : SecondMoments{};
    cells[k].number = {node.center.x, node.center.y, node.center.z, node.mass, m[0],
                       m[1],          m[2],          m[3],          m[4],      m[5]};
    if (!third.empty()) third[k] = third_numbers(tree.third()[k], node.size * length_scale);
  }
}

void WalkTable::fill(const TreeNode& node, const TreeSettings& settings, std::size_t k, double mass_scale) {
  constexpr float infinite = std::numeric_limits<float>::infinity();
  x[k] = node.center.x * length_scale;
  y[k] = node.center.y * length_scale;
  z[k] = node.center.z * length_scale;
  mass[k] = static_cast<float>(node.mass * mass_scale);
  const float scaled_reach = node.reach * length_scale, scaled_size = node.size * length_scale;
  reach[k] = rounded_out(scaled_reach * scaled_reach);
  size[k] = scaled_size * scaled_size;
  child[k] = node.child;
  children[k] = node.children;
  count[k] = node.count;
  first[k] = node.first;
  if (node.is_leaf() && node.count <= bodies_of_a_cell) {
    opening[k] = infinite;
  } else if (settings.relative) {
    const double left_out = mass[k] * std::pow(double{scaled_reach}, first_left_out(settings.order));
    opening[k] = static_cast<float>(std::pow(rule.caution * left_out, rule.power));
  } else {
    const double opened = length_scale * (node.size / settings.theta + static_cast<double>(node.offset));
    opening[k] = settings.theta > 0.0 ? static_cast<float>(opened * opened) : infinite;
  }
}

void BlockWalk::walk() { compiled_for(*instructions, HWY_DISPATCH_TABLE(walk_blocks))(*this); }

float BlockWalk::coarse_pull() {
  const auto [x, y, z, sum] = compiled_for(*instructions, HWY_DISPATCH_TABLE(coarse_pull_of))(*this);
  return std::max(std::hypot(x, y, z), kept_of_pulls(sum));
}

void BlockWalk::copy_far(const Vec3& from, std::span<std::vector<float>, 10> columns) {
  if (far_count == 0) return;
  std::fill_n(far.begin() + static_cast<std::ptrdiff_t>(far_count), 3, far[far_count - 1]);
  float* begin[10];
  std::ranges::transform(columns, begin, [](std::vector<float>& column) { return column.data(); });
  compiled_for(*instructions, HWY_DISPATCH_TABLE(far_columns))(table->cells.data(), far.data(), far_count,
                                                               from, begin);
}

void BlockWalk::copy_far_third(std::span<std::vector<float>, 7> columns) const {
  for (std::size_t k = 0; k < far_count; ++k) {
    const auto& number = table->third[far[k]].number;
    for (std::size_t i = 0; i < columns.size(); ++i) columns[i][k] = number[i];
  }
}

void BlockWalk::copy_bodies(const Octree& tree, std::span<std::array<float, 4>> bodies) const {
  compiled_for(*instructions, HWY_DISPATCH_TABLE(copy_leaves))(*this, tree, bodies.data());
}

}  // namespace orrery::sim
#endif
