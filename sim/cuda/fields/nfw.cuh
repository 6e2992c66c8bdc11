// The halo of Navarro, Frenk and White (sim/physics/fields/nfw.cpp).
/// The mass within s scale radii, over s^2. Its terms cancel near the centre: a series in s, good to 2e-7
/// here.
__device__ __forceinline__ real nfw_shape(real s) {
  if (s > (real)0.1) return (log1p(s) - s / (1 + s)) / (s * s);
  real mass = 0;
  for (int n = 9; n >= 2; --n) mass = (n % 2 == 0 ? 1 : -1) * (real)(n - 1) / n + s * mass;
  return mass;
}
/// Acceleration at x from the centre.
__device__ __forceinline__ real3 field_acceleration(const Field& field, const real3& x) {
  const real r = sqrt(x.x * x.x + x.y * x.y + x.z * x.z);
  if (!(r > 0)) return make_real3(0, 0, 0);
  const real mass = nfw_shape(r / field.radius);
  const real factor = -field.gm * mass / (field.radius * field.radius * r);
  return make_real3(factor * x.x, factor * x.y, factor * x.z);
}
/// How fast that changes for a body with velocity v; 0 at the centre, where the pull jumps.
__device__ __forceinline__ real3 field_jerk(const Field& field, const real3& x, const real3& v) {
  const real r = sqrt(x.x * x.x + x.y * x.y + x.z * x.z);
  if (!(r > 0)) return make_real3(0, 0, 0);
  const real s = r / field.radius, mass = nfw_shape(s);
  const real factor = -field.gm / (field.radius * field.radius * r);
  // What mass / r loses on the way outwards, r^2 d(mass / r)/dr, times the way along x / r.
  const real loss = 3 * mass - 1 / ((1 + s) * (1 + s));
  const real along = loss * ((x.x / r) * v.x + (x.y / r) * v.y + (x.z / r) * v.z) / r;
  return make_real3(factor * (mass * v.x - along * x.x), factor * (mass * v.y - along * x.y),
                    factor * (mass * v.z - along * x.z));
}
