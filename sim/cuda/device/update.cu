// Integration and publishing. `kick` and `drift` are dt, dt/2 or 0; kick_first decides the order (explicit
// Euler drifts with the old velocity). `last_kick` is that of the step before, if it was left for this one.
// Where a vertex buffer is given, the kernel that moves the bodies writes it. All kernels here: bodies
// [begin, end). FIELD, COMPENSATED: field.cuh says what they are. MAP_IN_UPDATE: it counts the bodies where
// they are afterwards, if there is a map.
#if MAP_IN_UPDATE
#define UPDATE_MAP_PARAMETER MAP_PARAMETER index_t *counts,
#else
#define UPDATE_MAP_PARAMETER
#endif
// With constants=constant-memory-all the bodies and the numbers are in constant memory.
#if CONSTANT_MEMORY == CONSTANT_MEMORY_CONSTANT_MEMORY_ALL
struct Motion {
  step_t last_kick, kick, drift;
  index_t begin, end;
  int kick_first;
};
__constant__ Motion motion;
#define UPDATED_PARAMETER
#define MOTION_PARAMETER
#define MOTION                                                                         \
  const step_t last_kick = motion.last_kick, kick = motion.kick, drift = motion.drift; \
  const index_t begin = motion.begin, end = motion.end;                                \
  const int kick_first = motion.kick_first
#else
#define UPDATED_PARAMETER index_t begin, index_t end,
#define MOTION_PARAMETER step_t last_kick, step_t kick, step_t drift, int kick_first,
#define MOTION
#endif
extern "C" __global__ void update(BODIES_PARAMETER(bodies), const real* acceleration,
                                  UPDATED_PARAMETER UPDATE_MAP_PARAMETER LOW_PARAMETER FIELD_PARAMETER
                                      MOTION_PARAMETER float4* vertex_position,
                                  float4* vertex_velocity) {
  after_previous();
  MOTION;
  BODIES(bodies);
  const index_t i = begin + blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= end) return;
  real4 x = get_position(bodies, i);
  real3 v = get_velocity(bodies, i);
  // The accelerations are those of this place, whatever is made of them first.
  const real3 own = own_pull(acceleration, i);
  real3 a = own;
  add_field(FIELD_ARGUMENT x, a);
#if COMPENSATED
  float* const mine = low + 6ull * i;
  if (last_kick != 0) kick_body(v, mine, last_kick, a);
  if (!kick_first) drift_body(x, mine, drift, v);
  if (kick != 0) kick_body(v, mine, kick, a);
  if (kick_first && drift != 0) drift_body(x, mine, drift, v);
  const real3 kicked = v;
#else
  // Two steps: the bits are those of two launches.
  if (last_kick != 0) v = make_real3(v.x + last_kick * a.x, v.y + last_kick * a.y, v.z + last_kick * a.z);
  const real3 kicked = make_real3(v.x + kick * a.x, v.y + kick * a.y, v.z + kick * a.z);
  const real3 along = kick_first ? kicked : v;
  x.x += drift * along.x;
  x.y += drift * along.y;
  x.z += drift * along.z;
#endif
  put_velocity(bodies, i, kicked.x, kicked.y, kicked.z);
  if (drift != 0) put_position(bodies, i, x.x, x.y, x.z, x.w);
#if MAP_IN_UPDATE
  const index_t cell = counts ? map_cell(MAP, x) : MAP_OUTSIDE;
  if (cell != MAP_OUTSIDE) atomicAdd(counts + cell, 1u);
#endif
  if (vertex_position) {
    vertex_position[i] = make_float4((float)x.x, (float)x.y, (float)x.z, (float)x.w);
    vertex_velocity[i] = make_float4((float)kicked.x, (float)kicked.y, (float)kicked.z, squared(own));
  }
}

// Positions and velocities as they are, into a vertex buffer, with the accelerations that are there (or a
// null pointer).
extern "C" __global__ void publish(BODIES_PARAMETER(bodies), index_t begin, index_t end,
                                   float4* vertex_position, float4* vertex_velocity,
                                   const real* acceleration) {
  BODIES(bodies);
  const index_t i = begin + blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= end) return;
  const real4 x = get_position(bodies, i);
  const real3 v = get_velocity(bodies, i);
  vertex_position[i] = make_float4((float)x.x, (float)x.y, (float)x.z, (float)x.w);
  const real3 a = acceleration ? own_pull(acceleration, i) : make_real3(0, 0, 0);
  vertex_velocity[i] = make_float4((float)v.x, (float)v.y, (float)v.z, squared(a));
}

// From the host's form (x y z mass, vx vy vz charge) into the layout, and back. Without velocities (a null
// pointer) those that are there stay.
extern "C" __global__ void unpack(BODIES_PARAMETER(bodies), index_t begin, index_t end,
                                  const float4* position, const float4* velocity) {
  BODIES(bodies);
  const index_t i = begin + blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= end) return;
  put_position(bodies, i, position[i].x, position[i].y, position[i].z, position[i].w);
  if (!velocity) return;
  put_velocity(bodies, i, velocity[i].x, velocity[i].y, velocity[i].z);
#if CHARGES
  bodies.charge[i] = velocity[i].w;
#endif
}

// For the test of what happens when a GPU fails: it does.
extern "C" __global__ void fail() { asm("trap;"); }
