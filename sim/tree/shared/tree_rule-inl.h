// tree_rule.cuh for vectors of the CPU. Compiled once for each instruction set: the guard is Highway's.
#if defined(ORRERY_TREE_RULE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ORRERY_TREE_RULE_INL
#undef ORRERY_TREE_RULE_INL
#else
#define ORRERY_TREE_RULE_INL
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace orrery::sim {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// What tree_rule.cuh asks of its numbers.
template <class V>
HWY_INLINE V multiply_add(V a, V b, V c) {
  return hn::MulAdd(a, b, c);
}
template <class V>
HWY_INLINE V multiply_subtract(V a, V b, V c) {
  return hn::MulSub(a, b, c);
}
template <class V>
HWY_INLINE V larger(V a, V b) {
  return hn::Max(a, b);
}
template <class V>
HWY_INLINE V smaller(V a, V b) {
  return hn::Min(a, b);
}
template <class V>
HWY_INLINE V above_zero(V x) {
  return hn::Max(x, hn::Zero(hn::DFromV<V>()));
}
template <class V>
HWY_INLINE auto is_above(V a, V b) {
  return hn::Gt(a, b);
}
template <class M>
HWY_INLINE M both(M a, M b) {
  return hn::And(a, b);
}
template <class V>
HWY_INLINE V filled(float x, V) {
  return hn::Set(hn::DFromV<V>(), x);
}

#define HOST_DEVICE HWY_INLINE
#include "sim/tree/shared/tree_rule.cuh"
#undef HOST_DEVICE

}  // namespace HWY_NAMESPACE
}  // namespace orrery::sim
HWY_AFTER_NAMESPACE();
#endif
