// A softened point mass (sim/physics/point_mass.cpp).
/// Acceleration at x from the centre.
__device__ __forceinline__ real3 field_acceleration(const Field& field, const real3& x) {
  const real r2 = x.x * x.x + x.y * x.y + x.z * x.z + field.radius * field.radius;
  const real factor = -field.gm / (r2 * sqrt(r2));
  return make_real3(factor * x.x, factor * x.y, factor * x.z);
}
