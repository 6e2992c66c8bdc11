// The logarithmic halo (sim/physics/logarithmic.cpp).
/// Acceleration at x from the centre.
__device__ __forceinline__ real3 field_acceleration(const Field& field, const real3& x) {
  const real steepness = 1 / (field.flattening * field.flattening);
  const real u = field.radius * field.radius + x.x * x.x + x.y * x.y + steepness * x.z * x.z;
  const real factor = -field.speed_squared / u;
  return make_real3(factor * x.x, factor * x.y, steepness * factor * x.z);
}
