// What acts on a body: the pulls of the others, which the force kernels found, and the external field (its
// code stands before), where FIELD is 1.

/// The acceleration of body i by the others: three reals per body.
__device__ __forceinline__ real3 own_pull(const real* acceleration, index_t i) {
  return make_real3(acceleration[3ull * i], acceleration[3ull * i + 1], acceleration[3ull * i + 2]);
}
#if FIELD
__device__ __forceinline__ real3 from_centre(const Field& field, const real4& x) {
  return make_real3(x.x - field.x, x.y - field.y, x.z - field.z);
}
#endif
/// Adds the external field at x to an acceleration of either precision.
template <typename Vector>
__device__ __forceinline__ void add_field(FIELD_PARAMETER const real4& x, Vector& a) {
#if FIELD
  const real3 outer = field_acceleration(field, from_centre(field, x));
  a.x += outer.x;
  a.y += outer.y;
  a.z += outer.z;
#endif
}
