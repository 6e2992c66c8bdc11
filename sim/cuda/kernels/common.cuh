// What every kernel shares: precision, layouts, loads, constants and the interaction. All of it is decided by
// macros that the run-time compiler is given (sim/cuda/kernel_source.cpp):
//   PRECISION 32 | 64          LAYOUT 0 aos, 1 split, 2 float4, 3 soa      PASSING 0 value, 1 members, 2
//   pointer READ_ONLY 0 | 1            CONSTANT_MEMORY 0 | 1                        ARITHMETIC 0..4
//   DIMENSIONS 2 | 3 GUARD 0 | 1                TILE, BLOCK, UNROLL                          MAX_REGISTERS is
//   an option of the compiler                   FORCE_LAW 0 gravity, 1 electric                BATCHED 0 | 1
//   EARLY_LAUNCH 0 | 1

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

#define STR_(x) #x
#define STR(x) STR_(x)
#define UNROLL_LOOP _Pragma(STR(unroll UNROLL))

// In two dimensions there is no z: not in the arrays (float4 keeps its shape), not in the arithmetic.
#if DIMENSIONS == 3
#define Z(expression) (expression)
#define ONLY_3D(statement) statement
#else
#define Z(expression) ((real)0)
#define ONLY_3D(statement)
#endif

// ---- constants: arguments of the kernel or constant memory ----
/// What all interactions share; the host fills it in (sim/cuda/launch.cpp).
struct Constants {
#if FORCE_LAW == 0
  real gravity;
  real softening_squared;
#else
  real coulomb;
  real softening_squared;
  real magnetic;
#endif
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
  real* body;  // x y z vx vy vz interleaved, or x y vx vy
  real* mass;
#elif LAYOUT == 1
  real* position;  // x y z, as an array of float3, or of float2
  real* velocity;
  real* mass;
#elif LAYOUT == 2
  real4* position;  // x y z mass
  real4* velocity;
#elif DIMENSIONS == 3
  real *x, *y, *z, *vx, *vy, *vz, *mass;
#else
  real *x, *y, *vx, *vy, *mass;
#endif
#if FORCE_LAW == 1
  real* charge;
#endif
};

#if FORCE_LAW == 1
#define CHARGE_PARAMETER(name) , real* name##_charge
#define CHARGE(name) , name##_charge
#else
#define CHARGE_PARAMETER(name)
#define CHARGE(name)
#endif

#if PASSING == 0
#define BODIES_PARAMETER(name) const Bodies name##_argument
#define BODIES(name) const Bodies& name = name##_argument
#elif PASSING == 2
#define BODIES_PARAMETER(name) const Bodies* __restrict__ name##_argument
#define BODIES(name) const Bodies name = *name##_argument
#elif LAYOUT == 0
#define BODIES_PARAMETER(name) real *name##_0, real *name##_1 CHARGE_PARAMETER(name)
#define BODIES(name) const Bodies name = {name##_0, name##_1 CHARGE(name)}
#elif LAYOUT == 1
#define BODIES_PARAMETER(name) real *name##_0, real *name##_1, real *name##_2 CHARGE_PARAMETER(name)
#define BODIES(name) const Bodies name = {name##_0, name##_1, name##_2 CHARGE(name)}
#elif LAYOUT == 2
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

typedef unsigned int index_t;

/// First in a kernel that may be launched before the one before it has ended (sim/cuda/launch.h): waits for
/// that, and lets the next kernel be launched.
__device__ __forceinline__ void after_previous() {
#if EARLY_LAUNCH && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

// ---- what a block works on: the arguments of the launch, or (BATCHED) its entry in a table of all galaxies
// ----
/// Targets [begin, end) of a galaxy with the sources [first, last). The host fills it in
/// (sim/cuda/work_table.h).
struct WorkItem {
  index_t first, last, begin, end;
  index_t target;              // the block's first target
  index_t column;              // tiled-2d: which sources
  unsigned long long scratch;  // first real of the galaxy's partial sums
};
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
#else
#define SLICE_PARAMETER index_t first, index_t last, index_t begin, index_t end
#define SLICE (void)first, (void)last, (void)begin, (void)end
#define BLOCK_TARGET(axis, length) (begin + blockIdx.axis * (length))
#define BLOCK_COLUMN blockIdx.x
#define SLICE_SCRATCH 0
#endif

/// Position and mass of a source through the chosen kind of load.
__device__ __forceinline__ real4 load_position(const Bodies& b, index_t j) {
#if LAYOUT == 0
  const real SOURCE p = b.body + 2ull * DIMENSIONS * j;
  const real SOURCE m = b.mass + j;
  return make_real4(LOAD(p), LOAD(p + 1), Z(LOAD(p + 2)), LOAD(m));
#elif LAYOUT == 1 && DIMENSIONS == 2
  const real2 SOURCE p = (const real2*)b.position + j;
  const real SOURCE m = b.mass + j;
  const real2 xy = LOAD(p);
  return make_real4(xy.x, xy.y, 0, LOAD(m));
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
  ONLY_3D(const real SOURCE z = b.z + j;)
  const real SOURCE m = b.mass + j;
  return make_real4(LOAD(x), LOAD(y), Z(LOAD(z)), LOAD(m));
#endif
}

/// Position and mass of body i.
__device__ __forceinline__ real4 get_position(const Bodies& b, index_t i) {
#if LAYOUT == 0
  const real* p = b.body + 2ull * DIMENSIONS * i;
  return make_real4(p[0], p[1], Z(p[2]), b.mass[i]);
#elif LAYOUT == 1 && DIMENSIONS == 2
  const real2 p = ((const real2*)b.position)[i];
  return make_real4(p.x, p.y, 0, b.mass[i]);
#elif LAYOUT == 1
  return make_real4(b.position[3ull * i], b.position[3ull * i + 1], b.position[3ull * i + 2], b.mass[i]);
#elif LAYOUT == 2
  return b.position[i];
#else
  return make_real4(b.x[i], b.y[i], Z(b.z[i]), b.mass[i]);
#endif
}

/// Velocity of body i.
__device__ __forceinline__ real3 get_velocity(const Bodies& b, index_t i) {
#if LAYOUT == 0
  const real* v = b.body + 2ull * DIMENSIONS * i + DIMENSIONS;
  return make_real3(v[0], v[1], Z(v[2]));
#elif LAYOUT == 1 && DIMENSIONS == 2
  const real2 v = ((const real2*)b.velocity)[i];
  return make_real3(v.x, v.y, 0);
#elif LAYOUT == 1
  return make_real3(b.velocity[3ull * i], b.velocity[3ull * i + 1], b.velocity[3ull * i + 2]);
#elif LAYOUT == 2
  const real4 v = b.velocity[i];
  return make_real3(v.x, v.y, v.z);
#else
  return make_real3(b.vx[i], b.vy[i], Z(b.vz[i]));
#endif
}

/// Stores position and mass.
__device__ __forceinline__ void put_position(const Bodies& b, index_t i, real x, real y, real z, real mass) {
#if LAYOUT == 0
  real* p = b.body + 2ull * DIMENSIONS * i;
  p[0] = x, p[1] = y;
  ONLY_3D(p[2] = z;)
  b.mass[i] = mass;
#elif LAYOUT == 1 && DIMENSIONS == 2
  real2 p;
  p.x = x, p.y = y;
  ((real2*)b.position)[i] = p, b.mass[i] = mass;
#elif LAYOUT == 1
  b.position[3ull * i] = x, b.position[3ull * i + 1] = y, b.position[3ull * i + 2] = z, b.mass[i] = mass;
#elif LAYOUT == 2
  b.position[i] = make_real4(x, y, Z(z), mass);
#else
  b.x[i] = x, b.y[i] = y;
  ONLY_3D(b.z[i] = z;)
  b.mass[i] = mass;
#endif
}

/// Stores the velocity.
__device__ __forceinline__ void put_velocity(const Bodies& b, index_t i, real vx, real vy, real vz) {
#if LAYOUT == 0
  real* v = b.body + 2ull * DIMENSIONS * i + DIMENSIONS;
  v[0] = vx, v[1] = vy;
  ONLY_3D(v[2] = vz;)
#elif LAYOUT == 1 && DIMENSIONS == 2
  real2 v;
  v.x = vx, v.y = vy;
  ((real2*)b.velocity)[i] = v;
#elif LAYOUT == 1
  b.velocity[3ull * i] = vx, b.velocity[3ull * i + 1] = vy, b.velocity[3ull * i + 2] = vz;
#elif LAYOUT == 2
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

/// The same without a pole: 0 for a coincident body and the body itself, which without softening would divide
/// by zero or overflow.
__device__ __forceinline__ real guarded_inverse_cube(real d2) {
#if GUARD
  return d2 > (real)1e-12 ? inverse_cube(d2) : (real)0;
#else
  return inverse_cube(d2);
#endif
}

#if FORCE_LAW == 0
// Gravity: a source is its position and mass, a target the same.
typedef real4 Source;
typedef real4 Target;

/// What a kernel stages or loads of a source.
__device__ __forceinline__ Source load_source(const Bodies& b, index_t j) { return load_position(b, j); }
/// What a kernel knows of the body whose forces it sums.
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

/// What of the target multiplies its sum: applied before sums leave the kernel that knows the target.
__device__ __forceinline__ real3 of_target(const real3& sum, const Target&) { return sum; }
/// What multiplies all sums.
__device__ __forceinline__ real strength(const Constants& constants) { return constants.gravity; }

#else
/// Charges: r = x_i - x_j, a_i = q_i / m_i sum_j q_j ((K_E - K_M v_i . v_j) r + K_M (v_i . r) v_j) / R^3
/// (sim/physics/electric.cpp). A product K_M q_i q_j is nowhere formed: it would be the first to become zero.
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
#if LAYOUT == 0
  const real SOURCE v = b.body + 2ull * DIMENSIONS * j + DIMENSIONS;
  return make_real3(LOAD(v), LOAD(v + 1), Z(LOAD(v + 2)));
#elif LAYOUT == 1 && DIMENSIONS == 2
  const real2 SOURCE p = (const real2*)b.velocity + j;
  const real2 v = LOAD(p);
  return make_real3(v.x, v.y, 0);
#elif LAYOUT == 1
  const real SOURCE v = b.velocity + 3ull * j;
  return make_real3(LOAD(v), LOAD(v + 1), LOAD(v + 2));
#elif LAYOUT == 2
  const real2 SOURCE p = (const real2*)(b.velocity + j);
  const real2 xy = LOAD(p);
  return make_real3(xy.x, xy.y, Z(LOAD(p + 1).x));
#else
  const real SOURCE vx = b.vx + j;
  const real SOURCE vy = b.vy + j;
  ONLY_3D(const real SOURCE vz = b.vz + j;)
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
  const real SOURCE q = b.charge + j;
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
#endif

/// Stores the sum times what all sums share: 3 reals a body.
__device__ __forceinline__ void store_acceleration(real* acceleration, index_t i, const real3& sum,
                                                   real factor) {
  acceleration[3ull * i] = factor * sum.x;
  acceleration[3ull * i + 1] = factor * sum.y;
  acceleration[3ull * i + 2] = factor * sum.z;
}
