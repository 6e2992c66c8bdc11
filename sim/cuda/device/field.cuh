// What the update kernel moves bodies by besides their own forces, and how. The file of an external field
// follows (sim/cuda/fields), where FIELD is 1.
//
// - FIELD: 1 if an external field acts;
// - COMPENSATED: 1 if positions and velocities are two floats each: the second ones, which are what the
//   first leave out, lie in an array of their own, 6 a body.
#if FIELD
#define FIELD_PARAMETER const Field field,
#define FIELD_ARGUMENT field,
#else
#define FIELD_PARAMETER
#define FIELD_ARGUMENT
#endif

/// The numbers of an external field (sim::FieldConstants).
struct Field {
  real gm, speed_squared, radius, height, flattening;
  real x, y, z;  ///< its centre
};

#if COMPENSATED
#define LOW_PARAMETER float *low,
/// Steps, and the sums that they make.
typedef double step_t;

/// Adds time * rate to a number that is two floats. Explicit roundings: no option may fuse or reorder them.
__device__ __forceinline__ double advanced(float high, float low, double time, double rate) {
  return __dadd_rn(__dadd_rn((double)high, (double)low), __dmul_rn(time, rate));
}
/// Cuts a number into two floats; returns the first.
__device__ __forceinline__ float split(double value, float& low) {
  const float high = __double2float_rn(value);
  low = __double2float_rn(__dadd_rn(value, -(double)high));
  return high;
}
/// v += time * a
__device__ __forceinline__ void kick_body(real3& v, float* low, double time, const real3& a) {
  v.x = split(advanced(v.x, low[3], time, a.x), low[3]);
  v.y = split(advanced(v.y, low[4], time, a.y), low[4]);
  ONLY_3D(v.z = split(advanced(v.z, low[5], time, a.z), low[5]);)
}
/// x += time * v
__device__ __forceinline__ void drift_body(real4& x, float* low, double time, const real3& v) {
  x.x = split(advanced(x.x, low[0], time, __dadd_rn(v.x, low[3])), low[0]);
  x.y = split(advanced(x.y, low[1], time, __dadd_rn(v.y, low[4])), low[1]);
  ONLY_3D(x.z = split(advanced(x.z, low[2], time, __dadd_rn(v.z, low[5])), low[2]);)
}
#else
#define LOW_PARAMETER
typedef real step_t;
#endif
