// Charges: r = x_i - x_j, a_i = q_i / m_i sum_j q_j ((K_E - K_M v_i . v_j) r + K_M (v_i . r) v_j) / R^3
// (sim/physics/laws/electric.cpp). A product K_M q_i q_j is nowhere formed: it would be the first to become
// zero.

/// Constants of all interactions.
struct Constants {
  real coulomb, softening_squared, magnetic;
};
#define EQUAL_MASSES 0

/// A charge and how it moves.
struct Charge {
  real x, y;
  ONLY_3D(real z;)
  real vx, vy;
  ONLY_3D(real vz;)
  real strength;  // of a source its charge, of a target charge / mass
};
typedef Charge Source;
typedef Charge Target;

/// Velocity of a source through the chosen kind of load.
__device__ __forceinline__ real3 load_velocity(const Bodies& b, index_t j) {
#if INTERLEAVED
  real SOURCE v = b.body + STRIDE * j + DIMENSIONS;
  return make_real3(LOAD(v), LOAD(v + 1), Z(LOAD(v + 2)));
#elif LAYOUT == LAYOUT_SPLIT && DIMENSIONS == 2
  real2 SOURCE p = (const real2*)b.velocity + j;
  const real2 v = LOAD(p);
  return make_real3(v.x, v.y, 0);
#elif LAYOUT == LAYOUT_SPLIT
  real SOURCE v = b.velocity + 3ull * j;
  return make_real3(LOAD(v), LOAD(v + 1), LOAD(v + 2));
#elif LAYOUT == LAYOUT_FLOAT4
  real2 SOURCE p = (const real2*)(b.velocity + j);
  const real2 xy = LOAD(p);
  return make_real3(xy.x, xy.y, Z(LOAD(p + 1).x));
#else
  real SOURCE vx = b.vx + j;
  real SOURCE vy = b.vy + j;
  ONLY_3D(real SOURCE vz = b.vz + j;)
  return make_real3(LOAD(vx), LOAD(vy), Z(LOAD(vz)));
#endif
}

/// Place and mass p, velocity v.
__device__ __forceinline__ Charge make_charge(const real4& p, const real3& v, real strength) {
  Charge c;
  c.x = p.x, c.y = p.y, c.vx = v.x, c.vy = v.y, c.strength = strength;
  ONLY_3D(c.z = p.z;)
  ONLY_3D(c.vz = v.z;)
  return c;
}

/// As for gravity.
__device__ __forceinline__ Source load_source(const Bodies& b, index_t j) {
  real SOURCE q = b.charge + j;
  return make_charge(load_position(b, j), load_velocity(b, j), LOAD(q));
}
/// A charge without mass is not moved.
__device__ __forceinline__ Target load_target(const Bodies& b, index_t i) {
  const real4 p = get_position(b, i);
  return make_charge(p, get_velocity(b, i), p.w > 0 ? b.charge[i] / p.w : (real)0);
}
__device__ __forceinline__ Target no_target() {
  return make_charge(make_real4(0, 0, 0, 0), make_real3(0, 0, 0), 0);
}
__device__ __forceinline__ Source no_source() {
  return make_charge(make_real4(1e12f, 1e12f, 1e12f, 0), make_real3(0, 0, 0), 0);
}

/// Adds the force of `source` on a unit charge that moves as `here`; the body itself adds 0.
__device__ __forceinline__ void interact(real3& sum, const Target& here, const Source& source,
                                         const Constants& constants) {
  const real rx = here.x - source.x;
  const real ry = here.y - source.y;
  real d2 = rx * rx + ry * ry + constants.softening_squared;
  real along = here.vx * rx + here.vy * ry;
  real product = here.vx * source.vx + here.vy * source.vy;
#if DIMENSIONS == 3
  const real rz = here.z - source.z;
  d2 += rz * rz;
  along += here.vz * rz;
  product += here.vz * source.vz;
#endif
  const real weight = source.strength * guarded_inverse_cube(d2);
  const real radial = weight * (constants.coulomb - constants.magnetic * product);
  const real sideways = weight * (constants.magnetic * along);
  sum.x += radial * rx + sideways * source.vx;
  sum.y += radial * ry + sideways * source.vy;
#if DIMENSIONS == 3
  sum.z += radial * rz + sideways * source.vz;
#endif
}

/// The same for charges: a = q / m times the sum; the strengths are in the sum.
__device__ __forceinline__ real3 of_target(const real3& sum, const Target& here) {
  return make_real3(here.strength * sum.x, here.strength * sum.y, here.strength * sum.z);
}
/// Nothing more.
__device__ __forceinline__ real strength(const Constants&) { return 1; }
