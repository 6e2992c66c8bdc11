// The logarithmic halo (sim/physics/fields/logarithmic.cpp).
/// Acceleration at x from the centre.
__device__ __forceinline__ real3 field_acceleration(const Field& field, const real3& x) {
  const real steepness = 1 / (field.flattening * field.flattening);
  const real u = field.radius * field.radius + x.x * x.x + x.y * x.y + steepness * x.z * x.z;
  const real factor = -field.speed_squared / u;
  return make_real3(factor * x.x, factor * x.y, steepness * factor * x.z);
}
/// How fast that changes for a body with velocity v.
__device__ __forceinline__ real3 field_jerk(const Field& field, const real3& x, const real3& v) {
  const real steepness = 1 / (field.flattening * field.flattening);
  const real u = field.radius * field.radius + x.x * x.x + x.y * x.y + steepness * x.z * x.z;
  const real along = 2 * (x.x * v.x + x.y * v.y + steepness * x.z * v.z) / u;
  const real factor = -field.speed_squared / u;
  return make_real3(factor * (v.x - along * x.x), factor * (v.y - along * x.y),
                    steepness * factor * (v.z - along * x.z));
}
