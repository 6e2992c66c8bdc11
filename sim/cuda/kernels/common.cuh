// What every kernel shares: precision, layouts, loads, constants and the interaction. All of it is decided by
// macros that the run-time compiler is given (sim/cuda/kernel_source.cpp):
//   PRECISION 32 | 64          LAYOUT 0 aos, 1 split, 2 float4, 3 soa      PASSING 0 value, 1 members, 2
//   pointer READ_ONLY 0 | 1            CONSTANT_MEMORY 0 | 1                        ARITHMETIC 0..4
//   DIMENSIONS 2 | 3 GUARD 0 | 1                TILE, BLOCK, UNROLL                          MAX_REGISTERS is
//   an option of the compiler

#if PRECISION == 64
typedef double real;
typedef double3 real3;
typedef double4 real4;
/// Vectors of the chosen precision.
__device__ __forceinline__ real4 make_real4(real x, real y, real z, real w) {
  return make_double4(x, y, z, w);
}
__device__ __forceinline__ real3 make_real3(real x, real y, real z) { return make_double3(x, y, z); }
#else
typedef float real;
typedef float3 real3;
typedef float4 real4;
/// Vectors of the chosen precision.
__device__ __forceinline__ real4 make_real4(real x, real y, real z, real w) {
  return make_float4(x, y, z, w);
}
__device__ __forceinline__ real3 make_real3(real x, real y, real z) { return make_float3(x, y, z); }
#endif

#define STR_(x) #x
#define STR(x) STR_(x)
#define UNROLL_LOOP _Pragma(STR(unroll UNROLL))

// ---- constants: arguments of the kernel or constant memory ----
/// What all interactions share.
struct Constants {
  real gravity;
  real softening_squared;
};
#if CONSTANT_MEMORY
__constant__ Constants constant_memory;
#define CONSTANTS_PARAMETER
#define CONSTANTS constant_memory
#else
#define CONSTANTS_PARAMETER const Constants constants_argument,
#define CONSTANTS constants_argument
#endif

// ---- the state in device memory: one of four layouts behind the same functions ----
#if READ_ONLY
#define LOAD(address) __ldg(address)
#define SOURCE const* __restrict__
#else
#define LOAD(address) (*(address))
#define SOURCE const*
#endif

/// Addresses of the arrays of a layout; the host fills it in (sim/cuda/device_state.cpp).
struct Bodies {
#if LAYOUT == 0
  real* body;  // x y z vx vy vz interleaved
  real* mass;
#elif LAYOUT == 1
  real* position;  // x y z, as an array of float3
  real* velocity;
  real* mass;
#elif LAYOUT == 2
  real4* position;  // x y z mass
  real4* velocity;
#else
  real *x, *y, *z, *vx, *vy, *vz, *mass;
#endif
};

#if PASSING == 0
#define BODIES_PARAMETER(name) const Bodies name##_argument
#define BODIES(name) const Bodies& name = name##_argument
#elif PASSING == 2
#define BODIES_PARAMETER(name) const Bodies* __restrict__ name##_argument
#define BODIES(name) const Bodies name = *name##_argument
#elif LAYOUT == 0
#define BODIES_PARAMETER(name) real *name##_0, real *name##_1
#define BODIES(name) const Bodies name = {name##_0, name##_1}
#elif LAYOUT == 1
#define BODIES_PARAMETER(name) real *name##_0, real *name##_1, real *name##_2
#define BODIES(name) const Bodies name = {name##_0, name##_1, name##_2}
#elif LAYOUT == 2
#define BODIES_PARAMETER(name) real4 *name##_0, real4 *name##_1
#define BODIES(name) const Bodies name = {name##_0, name##_1}
#else
#define BODIES_PARAMETER(name)                                                                    \
  real *name##_0, real *name##_1, real *name##_2, real *name##_3, real *name##_4, real *name##_5, \
      real *name##_6
#define BODIES(name) \
  const Bodies name = {name##_0, name##_1, name##_2, name##_3, name##_4, name##_5, name##_6}
#endif

typedef unsigned int index_t;

/// A source body through the chosen kind of load: position and mass.
__device__ __forceinline__ real4 load_source(const Bodies& b, index_t j) {
#if LAYOUT == 0
  const real SOURCE p = b.body + 6ull * j;
  const real SOURCE m = b.mass + j;
  return make_real4(LOAD(p), LOAD(p + 1), LOAD(p + 2), LOAD(m));
#elif LAYOUT == 1
  const real SOURCE p = b.position + 3ull * j;
  const real SOURCE m = b.mass + j;
  return make_real4(LOAD(p), LOAD(p + 1), LOAD(p + 2), LOAD(m));
#elif LAYOUT == 2
#if PRECISION == 64
  // The read-only load exists for two doubles at a time.
  const double2 SOURCE p = (const double2*)(b.position + j);
  const double2 xy = LOAD(p);
  const double2 zm = LOAD(p + 1);
  return make_real4(xy.x, xy.y, zm.x, zm.y);
#else
  const real4 SOURCE p = b.position + j;
  return LOAD(p);
#endif
#else
  const real SOURCE x = b.x + j;
  const real SOURCE y = b.y + j;
  const real SOURCE z = b.z + j;
  const real SOURCE m = b.mass + j;
  return make_real4(LOAD(x), LOAD(y), LOAD(z), LOAD(m));
#endif
}

/// Position and mass of body i.
__device__ __forceinline__ real4 get_position(const Bodies& b, index_t i) {
#if LAYOUT == 0
  return make_real4(b.body[6ull * i], b.body[6ull * i + 1], b.body[6ull * i + 2], b.mass[i]);
#elif LAYOUT == 1
  return make_real4(b.position[3ull * i], b.position[3ull * i + 1], b.position[3ull * i + 2], b.mass[i]);
#elif LAYOUT == 2
  return b.position[i];
#else
  return make_real4(b.x[i], b.y[i], b.z[i], b.mass[i]);
#endif
}

/// Velocity of body i.
__device__ __forceinline__ real3 get_velocity(const Bodies& b, index_t i) {
#if LAYOUT == 0
  return make_real3(b.body[6ull * i + 3], b.body[6ull * i + 4], b.body[6ull * i + 5]);
#elif LAYOUT == 1
  return make_real3(b.velocity[3ull * i], b.velocity[3ull * i + 1], b.velocity[3ull * i + 2]);
#elif LAYOUT == 2
  const real4 v = b.velocity[i];
  return make_real3(v.x, v.y, v.z);
#else
  return make_real3(b.vx[i], b.vy[i], b.vz[i]);
#endif
}

/// Stores position and mass.
__device__ __forceinline__ void put_position(const Bodies& b, index_t i, real x, real y, real z, real mass) {
#if LAYOUT == 0
  b.body[6ull * i] = x, b.body[6ull * i + 1] = y, b.body[6ull * i + 2] = z, b.mass[i] = mass;
#elif LAYOUT == 1
  b.position[3ull * i] = x, b.position[3ull * i + 1] = y, b.position[3ull * i + 2] = z, b.mass[i] = mass;
#elif LAYOUT == 2
  b.position[i] = make_real4(x, y, z, mass);
#else
  b.x[i] = x, b.y[i] = y, b.z[i] = z, b.mass[i] = mass;
#endif
}

/// Stores the velocity.
__device__ __forceinline__ void put_velocity(const Bodies& b, index_t i, real vx, real vy, real vz) {
#if LAYOUT == 0
  b.body[6ull * i + 3] = vx, b.body[6ull * i + 4] = vy, b.body[6ull * i + 5] = vz;
#elif LAYOUT == 1
  b.velocity[3ull * i] = vx, b.velocity[3ull * i + 1] = vy, b.velocity[3ull * i + 2] = vz;
#elif LAYOUT == 2
  b.velocity[i] = make_real4(vx, vy, vz, 0);
#else
  b.vx[i] = vx, b.vy[i] = vy, b.vz[i] = vz;
#endif
}

// ---- one interaction ----
/// 1 / (r^2 + eps^2)^(3/2) in the five ways of the reports.
__device__ __forceinline__ real inverse_cube(real d2) {
#if PRECISION == 64
#if ARITHMETIC == 0
  const real inverse = 1.0 / sqrt(d2);
#else
  const real inverse = rsqrt(d2);
#endif
  return inverse * inverse * inverse;
#elif ARITHMETIC == 0
  const real inverse = 1.0f / sqrtf(d2);
  return inverse * inverse * inverse;
#elif ARITHMETIC == 1
  return rsqrtf(d2 * d2 * d2);
#elif ARITHMETIC == 2
  const real inverse = rsqrtf(d2);
  return inverse * inverse * inverse;
#elif ARITHMETIC == 3
  const real inverse = __frsqrt_rn(d2);
  return inverse * inverse * inverse;
#else
  return __powf(d2, -1.5f);
#endif
}

/// Adds the pull of `source` on a body at `here`; the body itself pulls with 0.
__device__ __forceinline__ void interact(real3& sum, const real4& here, const real4& source, real eps2) {
  const real dx = source.x - here.x;
  const real dy = source.y - here.y;
#if DIMENSIONS == 3
  const real dz = source.z - here.z;
  const real d2 = dx * dx + dy * dy + dz * dz + eps2;
#else
  const real d2 = dx * dx + dy * dy + eps2;
#endif
#if GUARD
  // Without softening a coincident body, and the body itself, would divide by zero or overflow.
  const real weight = d2 > (real)1e-12 ? source.w * inverse_cube(d2) : (real)0;
#else
  const real weight = source.w * inverse_cube(d2);
#endif
  sum.x += weight * dx;
  sum.y += weight * dy;
#if DIMENSIONS == 3
  sum.z += weight * dz;
#endif
}

/// Stores G times the sum: 3 reals a body.
__device__ __forceinline__ void store_acceleration(real* acceleration, index_t i, const real3& sum,
                                                   real gravity) {
  acceleration[3ull * i] = gravity * sum.x;
  acceleration[3ull * i + 1] = gravity * sum.y;
  acceleration[3ull * i + 2] = gravity * sum.z;
}
