// Compiled once for each instruction set: the guard is Highway's.
#if defined(ORRERY_INVERSE_CUBE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ORRERY_INVERSE_CUBE_INL
#undef ORRERY_INVERSE_CUBE_INL
#else
#define ORRERY_INVERSE_CUBE_INL
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace orrery::sim {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using FloatTag = hn::ScalableTag<float>;
using FloatVector = hn::Vec<FloatTag>;

/// A first guess of 1/sqrt(v), and its largest relative error: what the instruction set offers. Exact where
/// the error of Highway's own estimate is not known.
#if HWY_TARGET & ORRERY_NEON
// 8 bits; one plain Newton step makes them 15.
constexpr double estimate_error = 1.5 / 65536.0;
template <class D, class V>
V estimate(D d, V v) {
  const V y = hn::ApproximateReciprocalSqrt(v);
  const V half = hn::Mul(hn::Mul(hn::Set(d, 0.5F), v), y);
  return hn::Mul(y, hn::NegMulAdd(half, y, hn::Set(d, 1.5F)));
}
#elif HWY_TARGET & (HWY_AVX3 | HWY_AVX2 | HWY_SSE4)
constexpr double estimate_error = HWY_TARGET == HWY_AVX3 ? 1.0 / 16384.0 : 1.5 / 4096.0;
template <class D, class V>
V estimate(D, V v) {
  return hn::ApproximateReciprocalSqrt(v);
}
#else
constexpr double estimate_error = 0.0;
template <class D, class V>
V estimate(D d, V v) {
  return hn::Div(hn::Set(d, 1.0F), hn::Sqrt(v));
}
#endif

/// m r^-3 in single precision, from the estimate y of 1/r and one Newton step folded into the cube: with
/// e = 1 - r^2 y^2, r^-3 = y^3 (1 - e)^(-3/2) = y^3 (1 + 3/2 e + 15/8 e^2 + ...), and 1 + 3/2 e =
/// -3/2 (r^2 y^2 - 5/3). The factor is applied once to the sum (`scale`). What is left out lies between 0 and
/// 15/8 e_max^2, e_max = 2 estimate_error; its mean, for errors spread evenly, is added to the constant.
struct SingleCube {
  using Tag = FloatTag;
  using Vector = FloatVector;
  static constexpr double scale = -1.5;
  static constexpr double left_out = 15.0 / 8.0 * 4.0 * estimate_error * estimate_error / 3.0;
  static constexpr auto constant = static_cast<float>(5.0 / 3.0 + left_out / 1.5);

  static HWY_INLINE Vector weight(Tag d, Vector mass, Vector squared) {
    const Vector y = estimate(d, squared);
    const Vector y2 = hn::Mul(y, y);
    const Vector t = hn::MulSub(squared, y2, hn::Set(d, constant));
    return hn::Mul(hn::Mul(mass, y), hn::Mul(y2, t));
  }
  /// r^-3 without the mass.
  static HWY_INLINE Vector cube(Tag d, Vector squared) {
    const Vector y = estimate(d, squared);
    const Vector y2 = hn::Mul(y, y);
    return hn::Mul(y, hn::Mul(y2, hn::MulSub(squared, y2, hn::Set(d, constant))));
  }
};

#if HWY_HAVE_FLOAT64
/// m r^-3 in double precision, from an estimate in single precision and the series up to e^4, whose next term
/// (693/256 e^5) is below 1e-15.
struct DoubleCube {
  using Tag = hn::ScalableTag<double>;
  using Vector = hn::Vec<Tag>;
  static constexpr double scale = 1.0;

  static HWY_INLINE Vector weight(Tag d, Vector mass, Vector squared) {
    const hn::Rebind<float, Tag> narrow;
    const Vector y = hn::PromoteTo(d, estimate(narrow, hn::DemoteTo(narrow, squared)));
    const Vector y2 = hn::Mul(y, y);
    const Vector e = hn::NegMulAdd(squared, y2, hn::Set(d, 1.0));
    Vector series = hn::MulAdd(e, hn::Set(d, 315.0 / 128.0), hn::Set(d, 35.0 / 16.0));
    series = hn::MulAdd(series, e, hn::Set(d, 15.0 / 8.0));
    series = hn::MulAdd(series, e, hn::Set(d, 1.5));
    series = hn::MulAdd(series, e, hn::Set(d, 1.0));
    return hn::Mul(hn::Mul(mass, y), hn::Mul(y2, series));
  }
};
#endif

/// Squared distances outside are those of coincident bodies, or overflow: no force.
constexpr double least_squared = 1e-24, most_squared = 1e37;

/// `value` where the squared distance is inside, else 0 (value may be infinite or no number there).
template <class D, class V>
HWY_INLINE V where_possible(D d, V squared, V value) {
  using Real = hn::TFromD<D>;
  const auto above = hn::Gt(squared, hn::Set(d, static_cast<Real>(least_squared)));
  const auto below = hn::Lt(squared, hn::Set(d, static_cast<Real>(most_squared)));
  return hn::IfThenElseZero(hn::And(above, below), value);
}

}  // namespace HWY_NAMESPACE
}  // namespace orrery::sim
HWY_AFTER_NAMESPACE();
#endif
