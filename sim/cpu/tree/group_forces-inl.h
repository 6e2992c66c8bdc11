// Compiled once for each instruction set: the guard is Highway's.
#if defined(ORRERY_GROUP_FORCES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ORRERY_GROUP_FORCES_INL
#undef ORRERY_GROUP_FORCES_INL
#else
#define ORRERY_GROUP_FORCES_INL
#endif

#include "sim/cpu/simd/inverse_cube-inl.h"
#include "sim/cpu/simd/row_tasks.h"
#include "sim/cpu/tree/far_series-inl.h"
#include "sim/cpu/tree/group_walk.h"

HWY_BEFORE_NAMESPACE();
namespace orrery::sim {
namespace HWY_NAMESPACE {

/// `vectors` vectors of a group's bodies, with the sums over what acts on them.
template <std::size_t vectors>
struct GroupVectors {
  FloatVector x[vectors], y[vectors], z[vectors], ax[vectors], ay[vectors], az[vectors];
};

/// Places from memory; sums begin with 0.
template <std::size_t vectors>
HWY_INLINE void load_places(const GroupTask& task, std::size_t at, GroupVectors<vectors>& group) {
  const FloatTag d;
  for (std::size_t k = 0; k < vectors; ++k) {
    const std::size_t place = at + k * hn::Lanes(d);
    group.x[k] = hn::Load(d, task.x + place);
    group.y[k] = hn::Load(d, task.y + place);
    group.z[k] = hn::Load(d, task.z + place);
    group.ax[k] = group.ay[k] = group.az[k] = hn::Zero(d);
  }
}

/// Moves positions to the group's centre, from which those of cells count.
template <std::size_t vectors>
HWY_INLINE void move_to_center(const GroupTask& task, GroupVectors<vectors>& group) {
  const FloatTag d;
  for (std::size_t k = 0; k < vectors; ++k) {
    group.x[k] = hn::Sub(group.x[k], hn::Set(d, task.center[0]));
    group.y[k] = hn::Sub(group.y[k], hn::Set(d, task.center[1]));
    group.z[k] = hn::Sub(group.z[k], hn::Set(d, task.center[2]));
  }
}

/// The pull of the bodies [first, last): the loop of all pairs, SingleCube::scale left out.
template <bool guarded, std::size_t vectors>
HWY_INLINE void add_bodies(const GroupTask& task, std::size_t first, std::size_t last,
                           GroupVectors<vectors>& group) {
  const FloatTag d;
  const auto softening = hn::Set(d, static_cast<float>(task.softening_squared));
  for (std::size_t j = first; j < last; ++j) {
    const auto& source = task.bodies[j];
    const auto sx = hn::Set(d, source[0]), sy = hn::Set(d, source[1]), sz = hn::Set(d, source[2]);
    const auto mass = hn::Set(d, source[3]);
#pragma GCC unroll 4
    for (std::size_t k = 0; k < vectors; ++k) {
      const auto dx = hn::Sub(sx, group.x[k]), dy = hn::Sub(sy, group.y[k]), dz = hn::Sub(sz, group.z[k]);
      const auto squared = hn::MulAdd(dz, dz, hn::MulAdd(dy, dy, hn::MulAdd(dx, dx, softening)));
      auto weight = SingleCube::weight(d, mass, squared);
      if constexpr (guarded) weight = where_possible(d, squared, weight);
      group.ax[k] = hn::MulAdd(weight, dx, group.ax[k]);
      group.ay[k] = hn::MulAdd(weight, dy, group.ay[k]);
      group.az[k] = hn::MulAdd(weight, dz, group.az[k]);
    }
  }
}

/// The pull of a cell on bodies at -(dx, dy, dz) from it, to second or third order in its extent: the Taylor
/// series of the softened pull. With s = d^2 + eps^2, n = d / sqrt(s) and the second moments S, a = 1/s (n (M
/// + (7.5 n S n - 1.5 tr S) / s) - 3 S n / s): no power of a distance that single precision cannot hold. It
/// is along n + across (-3 S) n. Third moments (pull_of_third) add to both; the part that they would have by
/// the softening alone, eps^2 / s of it, is left out.
struct CellPull {
  FloatVector n[3], s[3], along, across;  ///< s: (-3 S) n, and what third moments add

  /// `third`: none if null, which is known when this is compiled.
  template <bool has_third>
  HWY_INLINE static CellPull of(const GroupSources::Cell& cell, const GroupSources::Third* third, float unit,
                                const FloatVector (&distance)[3], FloatVector squared) {
    const FloatTag d;
    CellPull pull;
    const auto rough = estimate(d, squared);
    const auto half = hn::Mul(hn::Mul(hn::Set(d, 0.5F), squared), rough);
    const auto inverse = hn::Mul(rough, hn::NegMulAdd(half, rough, hn::Set(d, 1.5F)));
    const auto inverse2 = hn::Mul(inverse, inverse);
    auto& n = pull.n;
    for (int k = 0; k < 3; ++k) n[k] = hn::Mul(distance[k], inverse);
    FloatVector q[6];
    for (std::size_t k = 0; k < 6; ++k) q[k] = hn::Set(d, cell[4 + k]);
    const auto moments = pull_of_second(q, n);
    for (int k = 0; k < 3; ++k) pull.s[k] = moments.across[k];
    auto second = hn::NegMulAdd(hn::Set(d, 2.5F), moments.inner, hn::Set(d, cell[10]));
    if constexpr (has_third) pull.add_third(*third, hn::Mul(inverse, hn::Set(d, unit)), second);
    pull.along = hn::Mul(hn::MulAdd(second, inverse2, hn::Set(d, cell[3])), inverse2);
    pull.across = hn::Mul(inverse2, inverse2);
    return pull;
  }

 private:
  HWY_INLINE void add_third(const GroupSources::Third& third, FloatVector u, FloatVector& second) {
    const FloatTag d;
    FloatVector t[9];
    for (int k = 0; k < 9; ++k) t[k] = hn::Set(d, third[static_cast<std::size_t>(k)]);
    const auto more = pull_of_third(t, n);
    for (int k = 0; k < 3; ++k) s[k] = hn::MulAdd(u, more.across[k], s[k]);
    second = hn::MulAdd(hn::Mul(hn::Set(d, -7.0F / 3.0F), u), more.inner, second);
  }
};

/// The pull of the cells [first, last).
template <bool guarded, bool has_third, std::size_t vectors>
HWY_INLINE void add_cells(const GroupTask& task, std::size_t first, std::size_t last,
                          GroupVectors<vectors>& group) {
  const FloatTag d;
  const auto softening = hn::Set(d, static_cast<float>(task.softening_squared));
  for (std::size_t j = first; j < last; ++j) {
    const auto& cell = task.cells[j];
    const auto cx = hn::Set(d, cell[0]), cy = hn::Set(d, cell[1]), cz = hn::Set(d, cell[2]);
    for (std::size_t k = 0; k < vectors; ++k) {
      const FloatVector distance[3] = {hn::Sub(cx, group.x[k]), hn::Sub(cy, group.y[k]),
                                       hn::Sub(cz, group.z[k])};
      const auto squared =
          hn::MulAdd(distance[2], distance[2],
                     hn::MulAdd(distance[1], distance[1], hn::MulAdd(distance[0], distance[0], softening)));
      const auto pull = CellPull::of<has_third>(cell, has_third ? task.third + j : nullptr, task.third_unit,
                                                distance, squared);
      const auto add = [&](int axis, FloatVector& sum) HWY_ATTR {
        const auto n = pull.n[axis], s = pull.s[axis];
        if constexpr (guarded)
          sum = hn::Add(sum, where_possible(d, squared, hn::MulAdd(pull.along, n, hn::Mul(pull.across, s))));
        else
          sum = hn::MulAdd(pull.across, s, hn::MulAdd(pull.along, n, sum));
      };
      add(0, group.ax[k]);
      add(1, group.ay[k]);
      add(2, group.az[k]);
    }
  }
}

/// Adds sums of a part, with what its loop has left out.
template <std::size_t vectors>
HWY_INLINE void add_part(const GroupVectors<vectors>& part, float factor, GroupVectors<vectors>& group) {
  const auto f = hn::Set(FloatTag(), factor);
  for (std::size_t k = 0; k < vectors; ++k) {
    group.ax[k] = hn::MulAdd(part.ax[k], f, group.ax[k]);
    group.ay[k] = hn::MulAdd(part.ay[k], f, group.ay[k]);
    group.az[k] = hn::MulAdd(part.az[k], f, group.az[k]);
  }
}

/// The pull of the far cells, by their series.
template <std::size_t vectors>
HWY_INLINE void add_series(const GroupTask& task, const Series<float>& series, GroupVectors<vectors>& group) {
  const FloatTag d;
  const auto unit = hn::Set(d, 1.0F / task.radius);
  const auto place = [&](FloatVector x, int axis)
                         HWY_ATTR { return hn::Mul(hn::Sub(x, hn::Set(d, task.middle[axis])), unit); };
  for (std::size_t k = 0; k < vectors; ++k) {
    const FloatVector y[3] = {place(group.x[k], 0), place(group.y[k], 1), place(group.z[k], 2)};
    FloatVector pull[3];
    pull_of_series(series, y, pull);
    group.ax[k] = hn::Add(group.ax[k], pull[0]);
    group.ay[k] = hn::Add(group.ay[k], pull[1]);
    group.az[k] = hn::Add(group.az[k], pull[2]);
  }
}

/// The accelerations of that many vectors of bodies from `at` on.
template <bool guarded, std::size_t vectors>
void sum_vectors(GroupTask& task, const Series<float>& series, std::size_t at) {
  const FloatTag d;
  GroupVectors<vectors> group;
  load_places(task, at, group);
  move_to_center(task, group);
  if (task.far_count > 0) add_series(task, series, group);
  add_cells<guarded, true>(task, 0, task.third_count, group);
  add_cells<guarded, false>(task, task.third_count, task.cell_count, group);
  // In parts: smaller errors than one long sum.
  for (std::size_t first = 0; first < task.body_count; first += source_tile) {
    const std::size_t last = first + source_tile < task.body_count ? first + source_tile : task.body_count;
    GroupVectors<vectors> part;
    load_places(task, at, part);
    add_bodies<guarded>(task, first, last, part);
    add_part(part, static_cast<float>(SingleCube::scale), group);
  }
  for (std::size_t k = 0; k < vectors; ++k) {
    const std::size_t place = at + k * hn::Lanes(d);
    hn::Store(group.ax[k], d, task.ax + place);
    hn::Store(group.ay[k], d, task.ay + place);
    hn::Store(group.az[k], d, task.az + place);
  }
}

/// The accelerations of a group.
template <bool guarded, std::size_t vectors>
void sum_group(GroupTask& task) {
  const std::size_t lanes = hn::Lanes(FloatTag());
  Series<float> series;
  if (task.far_count > 0) sum_series<guarded>(task, series);
  std::size_t at = 0;
  for (; at + (vectors - 1) * lanes < task.count; at += vectors * lanes)
    sum_vectors<guarded, vectors>(task, series, at);
  for (; at < task.count; at += lanes) sum_vectors<guarded, 1>(task, series, at);
}

}  // namespace HWY_NAMESPACE
}  // namespace orrery::sim
HWY_AFTER_NAMESPACE();
#endif
