// The disk of Miyamoto and Nagai (sim/physics/miyamoto_nagai.cpp).
/// Acceleration at x from the centre.
__device__ __forceinline__ real3 field_acceleration(const Field& field, const real3& x) {
  const real height = sqrt(x.z * x.z + field.height * field.height);
  const real depth = field.radius + height;
  const real d2 = x.x * x.x + x.y * x.y + depth * depth;
  const real factor = -field.gm / (d2 * sqrt(d2));
  const real along_z = height > 0 ? factor * (depth / height) : (real)0;
  return make_real3(factor * x.x, factor * x.y, along_z * x.z);
}
