// What every kernel shares: precision, layouts, loads and the weight of a pair. Macros decide, which the
// run-time compiler is given (sim/cuda/compiler/kernel_source.cpp). Those of options (Option::macro) are the
// option's number, or the place of its choice. The others are
//
// - PRECISION: 32 or 64 bits;
// - DIMENSIONS: 2 or 3;
// - CHARGES: 1 if bodies have charges;
// - CONSTANT_COUNT: numbers in the law's structure Constants;
// - GUARD: 1 if coincident bodies would overflow;
// - BATCHED: 1 if blocks find their galaxy in a table.
//
// A force law follows (sim/cuda/laws), then sums.cuh, then the family.

#if PRECISION == 64
typedef double real;
typedef double2 real2;
typedef double3 real3;
typedef double4 real4;
/// Vectors of the chosen precision.
__device__ __forceinline__ real4 make_real4(real x, real y, real z, real w) {
  return make_double4(x, y, z, w);
}
__device__ __forceinline__ real3 make_real3(real x, real y, real z) { return make_double3(x, y, z); }
#else
typedef float real;
typedef float2 real2;
typedef float3 real3;
typedef float4 real4;
/// Vectors of the chosen precision.
__device__ __forceinline__ real4 make_real4(real x, real y, real z, real w) {
  return make_float4(x, y, z, w);
}
__device__ __forceinline__ real3 make_real3(real x, real y, real z) { return make_float3(x, y, z); }
#endif

/// a.a, as it goes into the fourth float of a vertex's velocity.
__device__ __forceinline__ float squared(const real3& a) {
  return (float)(a.x * a.x + a.y * a.y + a.z * a.z);
}

#define STR_(x) #x
#define STR(x) STR_(x)
// Not for a loop to the smaller of two numbers: where UNROLL divides 2^32 - 1 (3, 5, 15, 17, ...), NVRTC 13.0
// leaves its last turns out.
#define UNROLL_LOOP _Pragma(STR(unroll UNROLL))

// In two dimensions there is no z: not in the arrays (float4 keeps its shape), not in the arithmetic.
#if DIMENSIONS == 3
#define Z(expression) (expression)
#define ONLY_3D(statement) statement
#else
#define Z(expression) ((real)0)
#define ONLY_3D(statement)
#endif

// ---- the state in device memory: one of five layouts behind the same functions ----
#if READ_ONLY
#define LOAD(address) __ldg(address)
#define SOURCE const* __restrict__
#else
#define LOAD(address) (*(address))
#define SOURCE const*
#endif

/// Addresses of the arrays of a layout; the host fills it in (sim/cuda/memory/device_state.cpp).
struct Bodies {
#if LAYOUT == LAYOUT_AOS
  real* body;  // x y z vx vy vz interleaved, or x y vx vy
  real* mass;
#elif LAYOUT == LAYOUT_AOS_MASS
  real* body;  // x y z vx vy vz mass interleaved, or x y vx vy mass
#elif LAYOUT == LAYOUT_SPLIT
  real* position;  // x y z, as an array of float3, or of float2
  real* velocity;
  real* mass;
#elif LAYOUT == LAYOUT_FLOAT4
  real4* position;  // x y z mass
  real4* velocity;
#elif DIMENSIONS == 3
  real *x, *y, *z, *vx, *vy, *vz, *mass;
#else
  real *x, *y, *vx, *vy, *mass;
#endif
#if CHARGES
  real* charge;
#endif
};

/// Reals from one body to the next where bodies are interleaved.
#if LAYOUT == LAYOUT_AOS_MASS
#define STRIDE (2ull * DIMENSIONS + 1)
#define MASS(b, i) (b).body[STRIDE * (i) + 2 * DIMENSIONS]
#else
#define STRIDE (2ull * DIMENSIONS)
#define MASS(b, i) (b).mass[i]
#endif
#define INTERLEAVED (LAYOUT == LAYOUT_AOS || LAYOUT == LAYOUT_AOS_MASS)

#if CHARGES
#define CHARGE_PARAMETER(name) , real* name##_charge
#define CHARGE(name) , name##_charge
#else
#define CHARGE_PARAMETER(name)
#define CHARGE(name)
#endif

#if PASSING == PASSING_VALUE
#define BODIES_PARAMETER(name) const Bodies name##_argument
#define BODIES(name) const Bodies& name = name##_argument
#elif PASSING == PASSING_POINTER
#define BODIES_PARAMETER(name) const Bodies* __restrict__ name##_argument
#define BODIES(name) const Bodies name = *name##_argument
#elif LAYOUT == LAYOUT_AOS_MASS
#define BODIES_PARAMETER(name) real* name##_0 CHARGE_PARAMETER(name)
#define BODIES(name) const Bodies name = {name##_0 CHARGE(name)}
#elif LAYOUT == LAYOUT_AOS
#define BODIES_PARAMETER(name) real *name##_0, real *name##_1 CHARGE_PARAMETER(name)
#define BODIES(name) const Bodies name = {name##_0, name##_1 CHARGE(name)}
#elif LAYOUT == LAYOUT_SPLIT
#define BODIES_PARAMETER(name) real *name##_0, real *name##_1, real *name##_2 CHARGE_PARAMETER(name)
#define BODIES(name) const Bodies name = {name##_0, name##_1, name##_2 CHARGE(name)}
#elif LAYOUT == LAYOUT_FLOAT4
#define BODIES_PARAMETER(name) real4 *name##_0, real4 *name##_1 CHARGE_PARAMETER(name)
#define BODIES(name) const Bodies name = {name##_0, name##_1 CHARGE(name)}
#elif DIMENSIONS == 3
#define BODIES_PARAMETER(name)                                                                    \
  real *name##_0, real *name##_1, real *name##_2, real *name##_3, real *name##_4, real *name##_5, \
      real *name##_6 CHARGE_PARAMETER(name)
#define BODIES(name) \
  const Bodies name = {name##_0, name##_1, name##_2, name##_3, name##_4, name##_5, name##_6 CHARGE(name)}
#else
#define BODIES_PARAMETER(name) \
  real *name##_0, real *name##_1, real *name##_2, real *name##_3, real *name##_4 CHARGE_PARAMETER(name)
#define BODIES(name) const Bodies name = {name##_0, name##_1, name##_2, name##_3, name##_4 CHARGE(name)}
#endif

/// First in a kernel that may be launched before the one before it has ended (sim/cuda/launch/launch.h):
/// waits for that, and lets the next kernel be launched.
__device__ __forceinline__ void after_previous() {
#if EARLY_LAUNCH && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

// ---- what a block works on: the arguments of the launch, or its entry in a table (BATCHED) ----
#if BATCHED
#define SLICE_PARAMETER const WorkItem* __restrict__ work
#define SLICE                                                                             \
  const WorkItem item = work[blockIdx.x];                                                 \
  const index_t first = item.first, last = item.last, begin = item.begin, end = item.end; \
  (void)first, (void)last, (void)begin, (void)end
/// First target of the block, where blocks lie along `axis` of the grid and have `length` targets each.
#define BLOCK_TARGET(axis, length) item.target
#define BLOCK_COLUMN item.column
#define SLICE_SCRATCH item.scratch
#elif CONSTANT_MEMORY == CONSTANT_MEMORY_CONSTANT_MEMORY_ALL
__constant__ ForceRange force_range;
#define AFTER_SLICE_PARAMETER
#define SLICE                                                                                  \
  const index_t first = force_range.first, last = force_range.last, begin = force_range.begin, \
                end = force_range.end;                                                         \
  (void)first, (void)last, (void)begin, (void)end
#define BLOCK_TARGET(axis, length) (begin + blockIdx.axis * (length))
#define BLOCK_COLUMN blockIdx.x
#define SLICE_SCRATCH 0
#else
#define SLICE_PARAMETER index_t first, index_t last, index_t begin, index_t end
#define SLICE (void)first, (void)last, (void)begin, (void)end
#define BLOCK_TARGET(axis, length) (begin + blockIdx.axis * (length))
#define BLOCK_COLUMN blockIdx.x
#define SLICE_SCRATCH 0
#endif
/// Last in the kernels of families that have their ranges in constant memory too (Family::constant_ranges).
#ifndef AFTER_SLICE_PARAMETER
#define AFTER_SLICE_PARAMETER , SLICE_PARAMETER
#endif

/// Position and mass of a source through the chosen kind of load.
__device__ __forceinline__ real4 load_position(const Bodies& b, index_t j) {
#if INTERLEAVED
  real SOURCE p = b.body + STRIDE * j;
  real SOURCE m = &MASS(b, j);
  return make_real4(LOAD(p), LOAD(p + 1), Z(LOAD(p + 2)), LOAD(m));
#elif LAYOUT == LAYOUT_SPLIT && DIMENSIONS == 2
  real2 SOURCE p = (const real2*)b.position + j;
  real SOURCE m = b.mass + j;
  const real2 xy = LOAD(p);
  return make_real4(xy.x, xy.y, 0, LOAD(m));
#elif LAYOUT == LAYOUT_SPLIT
  real SOURCE p = b.position + 3ull * j;
  real SOURCE m = b.mass + j;
  return make_real4(LOAD(p), LOAD(p + 1), LOAD(p + 2), LOAD(m));
#elif LAYOUT == LAYOUT_FLOAT4
#if PRECISION == 64
  // The read-only load exists for two doubles at a time.
  double2 SOURCE p = (const double2*)(b.position + j);
  const double2 xy = LOAD(p);
  const double2 zm = LOAD(p + 1);
  return make_real4(xy.x, xy.y, zm.x, zm.y);
#else
  real4 SOURCE p = b.position + j;
  return LOAD(p);
#endif
#else
  real SOURCE x = b.x + j;
  real SOURCE y = b.y + j;
  ONLY_3D(real SOURCE z = b.z + j;)
  real SOURCE m = b.mass + j;
  return make_real4(LOAD(x), LOAD(y), Z(LOAD(z)), LOAD(m));
#endif
}

/// Position and mass of body i.
__device__ __forceinline__ real4 get_position(const Bodies& b, index_t i) {
#if INTERLEAVED
  const real* p = b.body + STRIDE * i;
  return make_real4(p[0], p[1], Z(p[2]), MASS(b, i));
#elif LAYOUT == LAYOUT_SPLIT && DIMENSIONS == 2
  const real2 p = ((const real2*)b.position)[i];
  return make_real4(p.x, p.y, 0, b.mass[i]);
#elif LAYOUT == LAYOUT_SPLIT
  return make_real4(b.position[3ull * i], b.position[3ull * i + 1], b.position[3ull * i + 2], b.mass[i]);
#elif LAYOUT == LAYOUT_FLOAT4
  return b.position[i];
#else
  return make_real4(b.x[i], b.y[i], Z(b.z[i]), b.mass[i]);
#endif
}

/// Velocity of body i.
__device__ __forceinline__ real3 get_velocity(const Bodies& b, index_t i) {
#if INTERLEAVED
  const real* v = b.body + STRIDE * i + DIMENSIONS;
  return make_real3(v[0], v[1], Z(v[2]));
#elif LAYOUT == LAYOUT_SPLIT && DIMENSIONS == 2
  const real2 v = ((const real2*)b.velocity)[i];
  return make_real3(v.x, v.y, 0);
#elif LAYOUT == LAYOUT_SPLIT
  return make_real3(b.velocity[3ull * i], b.velocity[3ull * i + 1], b.velocity[3ull * i + 2]);
#elif LAYOUT == LAYOUT_FLOAT4
  const real4 v = b.velocity[i];
  return make_real3(v.x, v.y, v.z);
#else
  return make_real3(b.vx[i], b.vy[i], Z(b.vz[i]));
#endif
}

/// Stores position and mass.
__device__ __forceinline__ void put_position(const Bodies& b, index_t i, real x, real y, real z, real mass) {
#if INTERLEAVED
  real* p = b.body + STRIDE * i;
  p[0] = x, p[1] = y;
  ONLY_3D(p[2] = z;)
  MASS(b, i) = mass;
#elif LAYOUT == LAYOUT_SPLIT && DIMENSIONS == 2
  real2 p;
  p.x = x, p.y = y;
  ((real2*)b.position)[i] = p, b.mass[i] = mass;
#elif LAYOUT == LAYOUT_SPLIT
  b.position[3ull * i] = x, b.position[3ull * i + 1] = y, b.position[3ull * i + 2] = z, b.mass[i] = mass;
#elif LAYOUT == LAYOUT_FLOAT4
  b.position[i] = make_real4(x, y, Z(z), mass);
#else
  b.x[i] = x, b.y[i] = y;
  ONLY_3D(b.z[i] = z;)
  b.mass[i] = mass;
#endif
}

/// Stores the velocity.
__device__ __forceinline__ void put_velocity(const Bodies& b, index_t i, real vx, real vy, real vz) {
#if INTERLEAVED
  real* v = b.body + STRIDE * i + DIMENSIONS;
  v[0] = vx, v[1] = vy;
  ONLY_3D(v[2] = vz;)
#elif LAYOUT == LAYOUT_SPLIT && DIMENSIONS == 2
  real2 v;
  v.x = vx, v.y = vy;
  ((real2*)b.velocity)[i] = v;
#elif LAYOUT == LAYOUT_SPLIT
  b.velocity[3ull * i] = vx, b.velocity[3ull * i + 1] = vy, b.velocity[3ull * i + 2] = vz;
#elif LAYOUT == LAYOUT_FLOAT4
  b.velocity[i] = make_real4(vx, vy, Z(vz), 0);
#else
  b.vx[i] = vx, b.vy[i] = vy;
  ONLY_3D(b.vz[i] = vz;)
#endif
}

// ---- one interaction ----
/// 1 / (r^2 + eps^2)^(3/2) in the five ways of the reports.
__device__ __forceinline__ real inverse_cube(real d2) {
#if PRECISION == 64
#if ARITHMETIC == ARITHMETIC_SQRT
  const real inverse = 1.0 / sqrt(d2);
#else
  const real inverse = rsqrt(d2);
#endif
  return inverse * inverse * inverse;
#elif ARITHMETIC == ARITHMETIC_SQRT
  const real inverse = 1.0f / sqrtf(d2);
  return inverse * inverse * inverse;
#elif ARITHMETIC == ARITHMETIC_RSQRT_OF_CUBE
  return rsqrtf(d2 * d2 * d2);
#elif ARITHMETIC == ARITHMETIC_RSQRT_CUBED
  const real inverse = rsqrtf(d2);
  return inverse * inverse * inverse;
#elif ARITHMETIC == ARITHMETIC_FRSQRT_RN
  const real inverse = __frsqrt_rn(d2);
  return inverse * inverse * inverse;
#else
  return __powf(d2, -1.5f);
#endif
}

/// The same without a pole: 0 for a coincident body and the body itself, which without softening would divide
/// by zero or overflow.
__device__ __forceinline__ real guarded_inverse_cube(real d2) {
#if GUARD
  return d2 > (real)1e-12 ? inverse_cube(d2) : (real)0;
#else
  return inverse_cube(d2);
#endif
}
