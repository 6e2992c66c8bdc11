// Compiled once for each instruction set: the guard is Highway's.
#if defined(ORRERY_FAR_SERIES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ORRERY_FAR_SERIES_INL
#undef ORRERY_FAR_SERIES_INL
#else
#define ORRERY_FAR_SERIES_INL
#endif

#include <type_traits>

#include "sim/cpu/simd/inverse_cube-inl.h"
#include "sim/cpu/tree/group_walk.h"
#include "sim/tree/shared/tree_rule-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orrery::sim {
namespace HWY_NAMESPACE {

/// Derivatives of a potential in the middle of a group, first to fourth, times powers of the group's radius.
/// Of each symmetric tensor the components x..z in the order of their indices: xx, xy, xz, yy, yz, zz; xxx,
/// xxy, xxz, xyy, xyz, xzz, yyy, yyz, yzz, zzz; and so on.
template <typename Number>
struct Series {
  Number first[3], second[6], third[10], fourth[15];
};

/// The tensors (-1)^n s^(n+1) d^n (1/s) with s^2 = r^2 + eps^2, from n = r / s: n_i, 3 n_i n_j - [ij], 15 n_i
/// n_j n_k - 3 ([ij] n_k + ...), 105 n_i n_j n_k n_l - 15 ([ij] n_k n_l + ...) + 3 ([ij] [kl] + ...). [ij] is
/// 1 for i = j, else 0. Source: W. Dehnen, J. Comp. Phys. 179, 27 (2002), equations 4 to 6.
HWY_INLINE void derivatives(const FloatVector (&n)[3], Series<FloatVector>& t) {
  const FloatTag d;
  const auto set = [&](float value) HWY_ATTR { return hn::Set(d, value); };
  const auto x = n[0], y = n[1], z = n[2];
  const auto xx = hn::Mul(x, x), yy = hn::Mul(y, y), zz = hn::Mul(z, z);
  const auto xy = hn::Mul(x, y), xz = hn::Mul(x, z), yz = hn::Mul(y, z);
  t.first[0] = x, t.first[1] = y, t.first[2] = z;
  t.second[0] = hn::MulSub(set(3), xx, set(1));
  t.second[1] = hn::Mul(set(3), xy);
  t.second[2] = hn::Mul(set(3), xz);
  t.second[3] = hn::MulSub(set(3), yy, set(1));
  t.second[4] = hn::Mul(set(3), yz);
  t.second[5] = hn::MulSub(set(3), zz, set(1));
  // 15 a^2 - 3 and 15 a^2 - 9: of two or three equal indices.
  const auto two_x = hn::MulSub(set(15), xx, set(3)), two_y = hn::MulSub(set(15), yy, set(3)),
             two_z = hn::MulSub(set(15), zz, set(3));
  t.third[0] = hn::Mul(x, hn::Sub(two_x, set(6)));
  t.third[1] = hn::Mul(y, two_x);
  t.third[2] = hn::Mul(z, two_x);
  t.third[3] = hn::Mul(x, two_y);
  t.third[4] = hn::Mul(hn::Mul(set(15), xy), z);
  t.third[5] = hn::Mul(x, two_z);
  t.third[6] = hn::Mul(y, hn::Sub(two_y, set(6)));
  t.third[7] = hn::Mul(z, two_y);
  t.third[8] = hn::Mul(y, two_z);
  t.third[9] = hn::Mul(z, hn::Sub(two_z, set(6)));
  // 105 a^4 - 90 a^2 + 9; ab (105 a^2 - 45); 105 a^2 b^2 - 15 (a^2 + b^2) + 3; bc (105 a^2 - 15).
  const auto four = [&](auto aa)
                        HWY_ATTR { return hn::MulAdd(aa, hn::MulSub(set(105), aa, set(90)), set(9)); };
  const auto pair = [&](auto aa, auto bb) HWY_ATTR {
    return hn::MulAdd(aa, hn::MulSub(set(105), bb, set(15)), hn::NegMulAdd(set(15), bb, set(3)));
  };
  const auto one_x = hn::MulSub(set(105), xx, set(15)), one_y = hn::MulSub(set(105), yy, set(15)),
             one_z = hn::MulSub(set(105), zz, set(15));
  t.fourth[0] = four(xx);
  t.fourth[1] = hn::Mul(xy, hn::Sub(one_x, set(30)));
  t.fourth[2] = hn::Mul(xz, hn::Sub(one_x, set(30)));
  t.fourth[3] = pair(xx, yy);
  t.fourth[4] = hn::Mul(yz, one_x);
  t.fourth[5] = pair(xx, zz);
  t.fourth[6] = hn::Mul(xy, hn::Sub(one_y, set(30)));
  t.fourth[7] = hn::Mul(xz, one_y);
  t.fourth[8] = hn::Mul(xy, one_z);
  t.fourth[9] = hn::Mul(xz, hn::Sub(one_z, set(30)));
  t.fourth[10] = four(yy);
  t.fourth[11] = hn::Mul(yz, hn::Sub(one_y, set(30)));
  t.fourth[12] = pair(yy, zz);
  t.fourth[13] = hn::Mul(yz, hn::Sub(one_z, set(30)));
  t.fourth[14] = four(zz);
}

/// The index of the component i, j, k (l) of a symmetric tensor, by the numbers of its indices that are y and
/// z.
inline constexpr int place_of(int ys, int zs) { return (ys + zs) * (ys + zs + 1) / 2 + zs; }
/// The index of the component with these indices, as a constant: computed inside the loops it would take
/// longer than the sums.
template <int... index>
inline constexpr int place_with = place_of(((index == 1 ? 1 : 0) + ...), ((index == 2 ? 1 : 0) + ...));

/// sum_kl q_kl t_kl..., q in the order of second moments, those of two axes doubled.
template <int... rest, int count>
HWY_INLINE FloatVector contracted(const FloatVector (&q)[6], const FloatVector (&t)[count]) {
  auto sum = hn::Mul(q[0], t[place_with<0, 0, rest...>]);
  sum = hn::MulAdd(q[1], t[place_with<0, 1, rest...>], sum);
  sum = hn::MulAdd(q[2], t[place_with<0, 2, rest...>], sum);
  sum = hn::MulAdd(q[3], t[place_with<1, 1, rest...>], sum);
  sum = hn::MulAdd(q[4], t[place_with<1, 2, rest...>], sum);
  return hn::MulAdd(q[5], t[place_with<2, 2, rest...>], sum);
}

/// sum += factor t
template <int count>
HWY_INLINE void add_times(FloatVector factor, const FloatVector (&t)[count], FloatVector (&sum)[count]) {
#pragma GCC unroll 15
  for (int k = 0; k < count; ++k) sum[k] = hn::MulAdd(factor, t[k], sum[k]);
}

/// The pull of third moments in the middle of the group.
HWY_INLINE void add_third(const GroupTask& task, std::size_t at, const FloatVector (&n)[3],
                          FloatVector inverse, FloatVector (&sum)[3]) {
  const FloatTag d;
  FloatVector t[9];
  for (std::size_t k = 0; k < GroupSources::third_columns; ++k) t[k] = hn::LoadU(d, task.far_third[k] + at);
  t[7] = hn::Neg(hn::Add(t[0], t[3])), t[8] = hn::Neg(hn::Add(t[1], t[5]));
  const auto pull = pull_of_third(t, n);
  const auto u = hn::Mul(inverse, hn::Set(d, task.third_unit)), u2 = hn::Mul(inverse, inverse);
  const auto factor = hn::Mul(hn::Mul(u, hn::Set(d, task.radius)), hn::Mul(u2, u2));
  const auto along = hn::Mul(hn::Set(d, -7.0F / 3.0F), pull.inner);
  for (int k = 0; k < 3; ++k) sum[k] = hn::MulAdd(factor, hn::MulAdd(along, n[k], pull.across[k]), sum[k]);
}

/// One vector of cells.
template <bool guarded>
HWY_INLINE void add_far_cells(const GroupTask& task, std::size_t at, Series<FloatVector>& sum) {
  const FloatTag d;
  const auto column = [&](std::size_t k) HWY_ATTR { return hn::LoadU(d, task.far[k] + at); };
  FloatVector n[3] = {column(0), column(1), column(2)};
  const auto softening = hn::Set(d, static_cast<float>(task.softening_squared));
  const auto squared = hn::MulAdd(n[2], n[2], hn::MulAdd(n[1], n[1], hn::MulAdd(n[0], n[0], softening)));
  const auto rough = estimate(d, squared);
  const auto half = hn::Mul(hn::Mul(hn::Set(d, 0.5F), squared), rough);
  auto inverse = hn::Mul(rough, hn::NegMulAdd(half, rough, hn::Set(d, 1.5F)));
  if constexpr (guarded) inverse = where_possible(d, squared, inverse);
  for (auto& each : n) each = hn::Mul(each, inverse);
  Series<FloatVector> t;
  derivatives(n, t);
  const auto mass = hn::Mul(column(3), inverse);
  const auto half_cube = hn::Mul(hn::Mul(hn::Mul(hn::Set(d, 0.5F), inverse), inverse), inverse);
  FloatVector q[6];
  const auto cube = hn::Add(half_cube, half_cube);
  for (std::size_t k = 0; k < 6; ++k)
    q[k] = hn::Mul(column(4 + k), k == 0 || k == 3 || k == 5 ? half_cube : cube);
  const auto u = hn::Mul(inverse, hn::Set(d, task.radius)), u2 = hn::Mul(u, u);
  const auto mass3 = hn::Mul(mass, hn::Mul(u2, u)), mass4 = hn::Mul(mass, hn::Mul(u2, u2));
  const FloatVector of_third[3] = {contracted<0>(q, t.third), contracted<1>(q, t.third),
                                   contracted<2>(q, t.third)};
  const FloatVector of_fourth[6] = {contracted<0, 0>(q, t.fourth), contracted<0, 1>(q, t.fourth),
                                    contracted<0, 2>(q, t.fourth), contracted<1, 1>(q, t.fourth),
                                    contracted<1, 2>(q, t.fourth), contracted<2, 2>(q, t.fourth)};
  add_times(hn::Mul(u, mass), t.first, sum.first);
  add_times(u, of_third, sum.first);
  if (task.series_has_third) add_third(task, at, n, inverse, sum.first);
  add_times(hn::Mul(u2, mass), t.second, sum.second);
  add_times(u2, of_fourth, sum.second);
  add_times(mass3, t.third, sum.third);
  add_times(mass4, t.fourth, sum.fourth);
}

/// The series of all far cells, with the factors of Taylor's series, for places in units of the radius: the
/// derivative of third[...] / 6 and fourth[...] / 24 by one coordinate leaves 1/2 and 1/6.
template <bool guarded>
void sum_series(const GroupTask& task, Series<float>& series) {
  const FloatTag d;
  Series<FloatVector> sum;
  for (auto& each : sum.first) each = hn::Zero(d);
  for (auto& each : sum.second) each = hn::Zero(d);
  for (auto& each : sum.third) each = hn::Zero(d);
  for (auto& each : sum.fourth) each = hn::Zero(d);
  for (std::size_t at = 0; at < task.far_count; at += hn::Lanes(d)) add_far_cells<guarded>(task, at, sum);
  const auto total = [&](FloatVector v, float factor)
                         HWY_ATTR { return factor * hn::GetLane(hn::SumOfLanes(d, v)); };
  const float f = 1.0F / task.radius;
  for (int k = 0; k < 3; ++k) series.first[k] = total(sum.first[k], f);
  for (int k = 0; k < 6; ++k) series.second[k] = total(sum.second[k], f);
  for (int k = 0; k < 10; ++k) series.third[k] = total(sum.third[k], f / 2.0F);
  for (int k = 0; k < 15; ++k) series.fourth[k] = total(sum.fourth[k], f / 6.0F);
}

/// Powers of y and z in the monomials of one degree, in the order of place_of.
inline constexpr int ys_of[] = {0, 1, 0, 2, 1, 0, 3, 2, 1, 0}, zs_of[] = {0, 0, 1, 0, 1, 2, 0, 1, 2, 3};

/// The number of times that monomial m occurs in a symmetric sum over `degree` indices.
inline constexpr float multiplicity(int degree, int m) {
  constexpr int factorial[] = {1, 1, 2, 6};
  const int ys = ys_of[m], zs = zs_of[m];
  const int times = factorial[degree] / (factorial[degree - ys - zs] * factorial[ys] * factorial[zs]);
  return static_cast<float>(times);
}

/// Adds the sum over all indices but the first, which is `axis`, of a tensor times the monomials of a degree.
template <int axis, int degree, int count, int monomials>
HWY_INLINE FloatVector add_order(const float (&tensor)[count], const FloatVector (&monomial)[monomials],
                                 FloatVector sum) {
  const FloatTag d;
#pragma GCC unroll 10
  for (int m = 0; m < monomials; ++m) {
    const int place = place_of(ys_of[m] + (axis == 1 ? 1 : 0), zs_of[m] + (axis == 2 ? 1 : 0));
    sum = hn::MulAdd(hn::Set(d, multiplicity(degree, m) * tensor[place]), monomial[m], sum);
  }
  return sum;
}

/// The pull of the series at places y, in units of the radius: sum over all indices but the first.
HWY_INLINE void pull_of_series(const Series<float>& s, const FloatVector (&y)[3], FloatVector (&pull)[3]) {
  const FloatVector y2[6] = {hn::Mul(y[0], y[0]), hn::Mul(y[0], y[1]), hn::Mul(y[0], y[2]),
                             hn::Mul(y[1], y[1]), hn::Mul(y[1], y[2]), hn::Mul(y[2], y[2])};
  const FloatVector y3[10] = {hn::Mul(y2[0], y[0]), hn::Mul(y2[0], y[1]), hn::Mul(y2[0], y[2]),
                              hn::Mul(y2[3], y[0]), hn::Mul(y2[1], y[2]), hn::Mul(y2[5], y[0]),
                              hn::Mul(y2[3], y[1]), hn::Mul(y2[3], y[2]), hn::Mul(y2[5], y[1]),
                              hn::Mul(y2[5], y[2])};
  const auto along = [&](auto axis) HWY_ATTR {
    constexpr int i = decltype(axis)::value;
    const auto first = hn::Set(FloatTag(), s.first[i]);
    const auto second = add_order<i, 1>(s.second, y, first);
    return add_order<i, 3>(s.fourth, y3, add_order<i, 2>(s.third, y2, second));
  };
  pull[0] = along(std::integral_constant<int, 0>());
  pull[1] = along(std::integral_constant<int, 1>());
  pull[2] = along(std::integral_constant<int, 2>());
}

}  // namespace HWY_NAMESPACE
}  // namespace orrery::sim
HWY_AFTER_NAMESPACE();
#endif
