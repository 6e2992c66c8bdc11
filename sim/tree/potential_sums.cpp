#include "sim/core/vector_targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sim/tree/potential_sums.cpp"
// Compiles the rest of this file once for each instruction set.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>

#include "sim/tree/potential_sums.h"
#include "sim/tree/shared/tree_rule-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orrery::sim {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using PotentialTag = hn::ScalableTag<float>;
using PotentialVector = hn::Vec<PotentialTag>;

/// Terms of a sum in single precision; longer ones lose digits.
constexpr std::size_t terms_of_a_part = 512;

/// The distances from a place, and one over them softened: an estimate of 8 bits or more, and two steps of
/// Newton's.
struct PairTerms {
  PotentialVector x, y, z, squared, inverse;

  HWY_INLINE PairTerms(const float* from_x, const float* from_y, const float* from_z,
                       const std::array<float, 3>& at, float softening_squared) {
    const PotentialTag d;
    x = hn::Sub(hn::LoadU(d, from_x), hn::Set(d, at[0]));
    y = hn::Sub(hn::LoadU(d, from_y), hn::Set(d, at[1]));
    z = hn::Sub(hn::LoadU(d, from_z), hn::Set(d, at[2]));
    squared = hn::MulAdd(z, z, hn::MulAdd(y, y, hn::MulAdd(x, x, hn::Set(d, softening_squared))));
    const auto half = hn::Mul(hn::Set(d, -0.5F), squared);
    inverse = hn::ApproximateReciprocalSqrt(squared);
    for (int step = 0; step < 2; ++step)
      inverse = hn::Mul(inverse, hn::MulAdd(hn::Mul(half, inverse), inverse, hn::Set(d, 1.5F)));
  }
};

/// Calls term(j) for every vector of `count` items, and sums what it gives.
template <typename Term>
HWY_INLINE double sum_of_terms(std::size_t count, const Term& term) {
  const PotentialTag d;
  const std::size_t lanes = hn::Lanes(d), part = terms_of_a_part * lanes;
  double sum = 0.0;
  for (std::size_t first = 0; first < count; first += part) {
    const std::size_t last = first + part < count ? first + part : count;
    auto terms = hn::Zero(d);
    for (std::size_t j = first; j < last; j += lanes) terms = hn::Add(terms, term(j));
    sum += static_cast<double>(hn::GetLane(hn::SumOfLanes(d, terms)));
  }
  return sum;
}

HWY_INLINE double sum_of_bodies(const PotentialSources& sources, const std::array<float, 3>& at,
                                float softening_squared) {
  const PotentialTag d;
  using enum PotentialSources::Column;
  const float *xs = sources.bodies(x), *ys = sources.bodies(y), *zs = sources.bodies(z);
  const float* masses = sources.bodies(mass);
  return sum_of_terms(sources.body_count(), [&](std::size_t j) HWY_ATTR {
    const PairTerms apart(xs + j, ys + j, zs + j, at, softening_squared);
    const auto term = hn::Mul(hn::LoadU(d, masses + j), apart.inverse);
    return hn::IfThenElseZero(hn::Gt(apart.squared, hn::Set(d, 1e-37F)), term);
  });
}

HWY_INLINE double sum_of_cells(const PotentialSources& sources, const std::array<float, 3>& at,
                               float softening_squared) {
  const PotentialTag d;
  using enum PotentialSources::Column;
  const auto column = [&](PotentialSources::Column k, std::size_t j)
                          HWY_ATTR { return hn::LoadU(d, sources.cells(k) + j); };
  return sum_of_terms(sources.cell_count(), [&](std::size_t j) HWY_ATTR {
    const PairTerms apart(sources.cells(x) + j, sources.cells(y) + j, sources.cells(z) + j, at,
                          softening_squared);
    const PotentialVector n[3] = {hn::Mul(apart.x, apart.inverse), hn::Mul(apart.y, apart.inverse),
                                  hn::Mul(apart.z, apart.inverse)};
    const PotentialVector q[6] = {column(xx, j), column(xy, j), column(xz, j),
                                  column(yy, j), column(yz, j), column(zz, j)};
    const auto moments = pull_of_second(q, n);
    const auto trace = hn::Add(hn::Add(column(xx, j), column(yy, j)), column(zz, j));
    const auto second = hn::MulSub(hn::Set(d, 3.0F), moments.inner, trace);
    const auto inverse2 = hn::Mul(hn::Set(d, 0.5F), hn::Mul(apart.inverse, apart.inverse));
    const auto term = hn::Mul(apart.inverse, hn::MulAdd(inverse2, second, column(mass, j)));
    return hn::IfThenElseZero(hn::Gt(apart.squared, hn::Set(d, 1e-37F)), term);
  });
}

double sum_of_all(const PotentialSources& sources, const std::array<float, 3>& at, float softening_squared) {
  return sum_of_bodies(sources, at, softening_squared) + sum_of_cells(sources, at, softening_squared);
}

}  // namespace HWY_NAMESPACE
}  // namespace orrery::sim
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orrery::sim {

namespace {
HWY_EXPORT(sum_of_all);
/// Places of the longest vector.
constexpr std::size_t most_lanes = 64;
}  // namespace

template <std::size_t columns>
void PotentialSources::Table<columns>::add(const std::array<float, columns>& row) {
  if (count == column[0].size()) {
    for (auto& each : column) each.resize(2 * count + most_lanes);
  }
  for (std::size_t k = 0; k < columns; ++k) column[k][count] = row[k];
  ++count;
}

template <std::size_t columns>
void PotentialSources::Table<columns>::pad() {
  for (auto& each : column) {
    each.resize(std::max(each.size(), count + most_lanes));
    std::fill_n(each.begin() + static_cast<std::ptrdiff_t>(count), most_lanes, 0.0F);
  }
}

template struct PotentialSources::Table<4>;
template struct PotentialSources::Table<10>;

void PotentialSources::clear() { bodies_.count = cells_.count = 0; }

void PotentialSources::pad() {
  bodies_.pad();
  cells_.pad();
}

double potential_sum(const PotentialSources& sources, const std::array<float, 3>& at,
                     float softening_squared) {
  return HWY_DYNAMIC_DISPATCH(sum_of_all)(sources, at, softening_squared);
}

}  // namespace orrery::sim
#endif
