// Gravity (sim/physics/laws/gravity.cpp).
/// Constants of all interactions.
struct Constants {
  real gravity, softening_squared;
};
/// A source's strength is a factor of its pull that can be taken out of a sum: register-split does.
#define EQUAL_MASSES 1

// A source is its position and mass, a target the same.
typedef real4 Source;
typedef real4 Target;

/// The data of a source that a kernel stages or loads.
__device__ __forceinline__ Source load_source(const Bodies& b, index_t j) { return load_position(b, j); }
/// The data of the body whose forces a kernel sums.
__device__ __forceinline__ Target load_target(const Bodies& b, index_t i) { return get_position(b, i); }
/// For threads without a body.
__device__ __forceinline__ Target no_target() { return make_real4(0, 0, 0, 0); }
/// Exerts no force, wherever the target is.
__device__ __forceinline__ Source no_source() { return make_real4(1e18f, 1e18f, 1e18f, 0); }

/// Adds the pull of `source` on `here`; the body itself pulls with 0.
__device__ __forceinline__ void interact(real3& sum, const Target& here, const Source& source,
                                         const Constants& constants) {
  const real eps2 = constants.softening_squared;
  const real dx = source.x - here.x;
  const real dy = source.y - here.y;
#if DIMENSIONS == 3
  const real dz = source.z - here.z;
  // Begun with the softening, it is three multiply-adds and no addition.
  const real d2 = dx * dx + (dy * dy + (dz * dz + eps2));
#else
  const real d2 = dx * dx + (dy * dy + eps2);
#endif
  const real weight = source.w * guarded_inverse_cube(d2);
  sum.x += weight * dx;
  sum.y += weight * dy;
#if DIMENSIONS == 3
  sum.z += weight * dz;
#endif
}

/// Multiplies the sum by the target's own factor: applied before sums leave the kernel that knows the target.
__device__ __forceinline__ real3 of_target(const real3& sum, const Target&) { return sum; }
/// The common factor of all sums.
__device__ __forceinline__ real strength(const Constants& constants) { return constants.gravity; }
