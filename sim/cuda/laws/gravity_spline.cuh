// Gravity softened by a cubic spline (sim/physics/laws/gravity_spline.cpp).
/// Constants of all interactions: 1 / h and its cube, h being the radius of the spline.
struct Constants {
  real gravity, inverse_reach, inverse_reach_cubed;
};
/// Families with a loop of their own for equal masses have Plummer's softening in it.
#define EQUAL_MASSES 0

// A source is its position and mass, a target the same.
typedef real4 Source;
typedef real4 Target;

/// As for Plummer's softening.
__device__ __forceinline__ Source load_source(const Bodies& b, index_t j) { return load_position(b, j); }
__device__ __forceinline__ Target load_target(const Bodies& b, index_t i) { return get_position(b, i); }
__device__ __forceinline__ Target no_target() { return make_real4(0, 0, 0, 0); }
__device__ __forceinline__ Source no_source() { return make_real4(1e18f, 1e18f, 1e18f, 0); }

/// The distance, also where it is 0.
__device__ __forceinline__ real distance_of(real d2) {
#if PRECISION == 64
  return sqrt(d2);
#else
  return d2 * rsqrtf(fmaxf(d2, 1e-24f));
#endif
}

/// The pull of a unit mass over the distance: a polynomial in the inner half, beyond that of the mass within.
__device__ __forceinline__ real spline_weight(real d2, const Constants& constants) {
  const real u = distance_of(d2) * constants.inverse_reach;
  const real inner =
      constants.inverse_reach_cubed * ((real)(32.0 / 3.0) + u * u * ((real)32.0 * u - (real)38.4));
  const real w = u < (real)1 ? (real)1 - u : (real)0;
  const real beyond = w * w * (w * w) * ((real)16.0 - w * ((real)25.6 - (real)(32.0 / 3.0) * w));
  const real cube = d2 > (real)1e-12 ? inverse_cube(d2) : (real)0;
  return u < (real)0.5 ? inner : cube * ((real)1 - beyond);
}

/// Adds the pull of `source` on `here`; the body itself pulls with 0.
__device__ __forceinline__ void interact(real3& sum, const Target& here, const Source& source,
                                         const Constants& constants) {
  const real dx = source.x - here.x;
  const real dy = source.y - here.y;
#if DIMENSIONS == 3
  const real dz = source.z - here.z;
  const real d2 = dx * dx + (dy * dy + dz * dz);
#else
  const real d2 = dx * dx + dy * dy;
#endif
  const real weight = source.w * spline_weight(d2, constants);
  sum.x += weight * dx;
  sum.y += weight * dy;
#if DIMENSIONS == 3
  sum.z += weight * dz;
#endif
}

/// As for Plummer's softening.
__device__ __forceinline__ real3 of_target(const real3& sum, const Target&) { return sum; }
__device__ __forceinline__ real strength(const Constants& constants) { return constants.gravity; }
