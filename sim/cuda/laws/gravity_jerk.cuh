// How fast gravity's pull changes (Makino & Aarseth 1992, PASJ 44, 141, eq. 2; sim/physics/laws/gravity.cpp):
// after gravity.cuh.
/// Adds the jerk by `source`, which moves with `other`, of `here`, which moves with `own`; without G.
__device__ __forceinline__ void interact_jerk(real3& sum, const real4& here, const real3& own,
                                              const real4& source, const real3& other,
                                              const Constants& constants) {
  const real dx = source.x - here.x, dy = source.y - here.y, dz = Z(source.z - here.z);
  const real ux = other.x - own.x, uy = other.y - own.y, uz = Z(other.z - own.z);
  const real d2 = dx * dx + (dy * dy + (dz * dz + constants.softening_squared));
  const real weight = source.w * guarded_inverse_cube(d2);
#if GUARD
  const real along = d2 > (real)1e-12 ? 3 * (dx * ux + dy * uy + dz * uz) / d2 : (real)0;
#else
  const real along = 3 * (dx * ux + dy * uy + dz * uz) / d2;
#endif
  sum.x += weight * (ux - along * dx);
  sum.y += weight * (uy - along * dy);
  sum.z += weight * (uz - along * dz);
}
