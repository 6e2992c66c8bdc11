// The halo of Navarro, Frenk and White (sim/physics/nfw.cpp).
/// Acceleration at x from the centre.
__device__ __forceinline__ real3 field_acceleration(const Field& field, const real3& x) {
  const real r = sqrt(x.x * x.x + x.y * x.y + x.z * x.z);
  if (!(r > 0)) return make_real3(0, 0, 0);
  const real s = r / field.radius;
  // The enclosed mass over s^2. Its terms cancel near the centre: a series in s, good to 2e-7 here.
  real mass;
  if (s > (real)0.1) {
    mass = (log1p(s) - s / (1 + s)) / (s * s);
  } else {
    mass = 0;
    for (int n = 9; n >= 2; --n) mass = (n % 2 == 0 ? 1 : -1) * (real)(n - 1) / n + s * mass;
  }
  const real factor = -field.gm * mass / (field.radius * field.radius * r);
  return make_real3(factor * x.x, factor * x.y, factor * x.z);
}
