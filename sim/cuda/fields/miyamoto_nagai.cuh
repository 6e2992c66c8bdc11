// The disk of Miyamoto and Nagai (sim/physics/fields/miyamoto_nagai.cpp).
/// Acceleration at x from the centre.
__device__ __forceinline__ real3 field_acceleration(const Field& field, const real3& x) {
  const real height = sqrt(x.z * x.z + field.height * field.height);
  const real depth = field.radius + height;
  const real d2 = x.x * x.x + x.y * x.y + depth * depth;
  const real factor = -field.gm / (d2 * sqrt(d2));
  const real along_z = height > 0 ? factor * (depth / height) : (real)0;
  return make_real3(factor * x.x, factor * x.y, along_z * x.z);
}
/// How fast that changes for a body with velocity v. A razor-thin disk has no jerk in its plane, where the
/// pull jumps.
__device__ __forceinline__ real3 field_jerk(const Field& field, const real3& x, const real3& v) {
  const real height = sqrt(x.z * x.z + field.height * field.height);
  const real depth = field.radius + height;
  const real d2 = x.x * x.x + x.y * x.y + depth * depth;
  const real factor = -field.gm / (d2 * sqrt(d2));
  const real thickens = height > 0 ? x.z * v.z / height : (real)0;
  const real along = 3 * (x.x * v.x + x.y * v.y + depth * thickens) / d2;
  const real steepness = height > 0 ? depth / height : (real)0;
  const real flattens = height > 0 ? field.radius * thickens / (height * height) : (real)0;
  return make_real3(factor * (v.x - along * x.x), factor * (v.y - along * x.y),
                    factor * (steepness * (v.z - along * x.z) - flattens * x.z));
}
