#include "sim/core/vector_targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sim/cpu/tree/block_walk.cpp"
// Compiles the rest of this file once for each instruction set.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>

#include "sim/cpu/tree/block_walk.h"

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
    const auto outside = [&](PartVector v, int axis) HWY_ATTR {
      const auto below = hn::Sub(hn::Set(d, walk.least[axis]), v);
      const auto above = hn::Sub(v, hn::Set(d, walk.most[axis]));
      return hn::Max(hn::Max(below, above), hn::Zero(d));
    };
    const auto dx = outside(x, 0), dy = outside(y, 1), dz = outside(z, 2);
    outside_squared = hn::Add(hn::Mul(dx, dx), hn::Add(hn::Mul(dy, dy), hn::Mul(dz, dz)));
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
  walk.stack.clear();
  walk.body_count = 0;
  meet_parts(0, 1);
  while (!walk.stack.empty() && walk.body_count <= walk.most_bodies) {
    const std::uint32_t cell = walk.stack.back();
    walk.stack.pop_back();
    meet_parts(table.child[cell], table.children[cell]);
  }
}

/// Not CompressStore, which takes a hundred cycles on some processors.
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

template <class Mask>
HWY_INLINE void note_cells(std::size_t at, Mask mask, BlockWalk& walk) {
  const IndexTag d;
  std::uint32_t found[16];
  const auto index = hn::Iota(d, static_cast<std::uint32_t>(at));
  const std::size_t count = store_chosen(index, hn::RebindMask(d, mask), found);
  for (std::size_t k = 0; k < count; ++k) walk.stack.push_back(found[k]);
}

HWY_INLINE hn::Mask<PartTag> have_parts(const WalkTable& table, std::size_t at) {
  const IndexTag d;
  const auto has = hn::Ne(hn::LoadU(d, table.child.data() + at), hn::Zero(d));
  return hn::RebindMask(PartTag(), has);
}

void walk_blocks(BlockWalk& walk) {
  const PartTag d;
  const auto& table = *walk.table;
  walk.cell_count = walk.leaf_count = 0;
  for_each_part(walk, [&](std::size_t at, hn::Mask<PartTag> met) HWY_ATTR {
    const Parts parts(walk, at);
    const auto opening = hn::Mul(hn::LoadU(d, table.opening.data() + at), hn::Set(d, walk.factor));
    const auto beyond = hn::Gt(parts.outside_squared, hn::LoadU(d, table.reach.data() + at));
    const auto far = hn::And(hn::And(beyond, hn::Gt(parts.outside_squared, opening)), met);
    const auto near = hn::AndNot(far, met), inner = have_parts(table, at);
    note(at, far, walk.cells, walk.cell_count);
    const std::size_t before = walk.leaf_count;
    note(at, hn::AndNot(inner, near), walk.leaves, walk.leaf_count);
    for (std::size_t k = before; k < walk.leaf_count; ++k) walk.body_count += table.count[walk.leaves[k]];
    note_cells(at, hn::And(inner, near), walk);
  });
}

CoarsePull coarse_pull_of(BlockWalk& walk) {
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
    note_cells(at, opened, walk);
    const auto pulls = hn::And(hn::AndNot(opened, met), hn::Gt(parts.outside_squared, hn::Zero(d)));
    auto softened = hn::Add(squared, hn::Set(d, table.softening_squared));
    if (table.spread) {
      const auto within = hn::Sub(hn::LoadU(d, table.size.data() + at), squared);
      softened = hn::Add(softened, hn::Max(within, hn::Zero(d)));
    }
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

}  // namespace HWY_NAMESPACE
}  // namespace orrery::sim
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orrery::sim {

namespace {
HWY_EXPORT(walk_blocks);
HWY_EXPORT(coarse_pull_of);
}  // namespace

void BlockWalk::walk() { compiled_for(*instructions, HWY_DISPATCH_TABLE(walk_blocks))(*this); }

CoarsePull& CoarsePull::operator+=(const CoarsePull& other) {
  x += other.x, y += other.y, z += other.z, sum += other.sum;
  return *this;
}

float CoarsePull::size() const {
  constexpr float kept_of_sum = 0.01F;
  return std::max(std::hypot(x, y, z), kept_of_sum * sum);
}

CoarsePull BlockWalk::coarse_pull() {
  return compiled_for(*instructions, HWY_DISPATCH_TABLE(coarse_pull_of))(*this);
}

}  // namespace orrery::sim
#endif
