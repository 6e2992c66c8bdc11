// A softened point mass (sim/physics/fields/point_mass.cpp).
/// Acceleration at x from the centre.
__device__ __forceinline__ real3 field_acceleration(const Field& field, const real3& x) {
  const real r2 = x.x * x.x + x.y * x.y + x.z * x.z + field.radius * field.radius;
  const real factor = -field.gm / (r2 * sqrt(r2));
  return make_real3(factor * x.x, factor * x.y, factor * x.z);
}
/// How fast that changes for a body with velocity v.
__device__ __forceinline__ real3 field_jerk(const Field& field, const real3& x, const real3& v) {
  const real r2 = x.x * x.x + x.y * x.y + x.z * x.z + field.radius * field.radius;
  const real factor = -field.gm / (r2 * sqrt(r2));
  const real along = 3 * (x.x * v.x + x.y * v.y + x.z * v.z) / r2;
  return make_real3(factor * (v.x - along * x.x), factor * (v.y - along * x.y), factor * (v.z - along * x.z));
}
