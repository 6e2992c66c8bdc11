// Hermite methods (predict and correct in sim/physics/integrators/integrator.cpp). The kernel `jerks` is
// launched after the forces, a thread for each target, in the shape of families with Family::jerks.
extern "C" __global__ void __launch_bounds__(1024)
    jerks(CONSTANTS_PARAMETER BODIES_PARAMETER(bodies), real* jerk AFTER_SLICE_PARAMETER) {
  SLICE;
  BODIES(bodies);
  __shared__ real4 places[jerk_tile];
  __shared__ real3 velocities[jerk_tile];
  const index_t i = BLOCK_TARGET(x, blockDim.x) + threadIdx.x;
  const bool is_here = i < end;
  const real4 here = is_here ? get_position(bodies, i) : make_real4(0, 0, 0, 0);
  const real3 own = is_here ? get_velocity(bodies, i) : make_real3(0, 0, 0);
  real3 sum = make_real3(0, 0, 0);
  for (index_t base = first; base < last; base += jerk_tile) {
    const index_t count = last - base < jerk_tile ? last - base : (index_t)jerk_tile;
    for (index_t k = threadIdx.x; k < count; k += blockDim.x) {
      places[k] = get_position(bodies, base + k);
      velocities[k] = get_velocity(bodies, base + k);
    }
    __syncthreads();
    for (index_t k = 0; k < count; ++k) interact_jerk(sum, here, own, places[k], velocities[k], CONSTANTS);
    __syncthreads();
  }
  if (is_here) store_acceleration(jerk, i, sum, strength(CONSTANTS));
}

/// All that acts on a body, and how fast that changes on its way.
struct Pull {
  Exact a, j;
};
__device__ __forceinline__ Pull pull_on(const Bodies& state, index_t i,
                                        FIELD_PARAMETER const real* acceleration, const real* jerk) {
  Pull pull = {exact_triple(acceleration, i), exact_triple(jerk, i)};
#if FIELD
  const real4 x = get_position(state, i);
  add_field(field, x, pull.a);
  const real3 j = field_jerk(field, from_centre(field, x), get_velocity(state, i));
  pull.j = plus(pull.j, 1.0, {j.x, j.y, j.z});
#endif
  return pull;
}

// Taylor's series from the begin of the step, where forces and jerks are; they are kept with the state.
extern "C" __global__ void predict(BODIES_PARAMETER(state), const real* acceleration, const real* jerk,
                                   index_t begin, index_t end, LOW_PARAMETER FIELD_PARAMETER double* kept,
                                   index_t bodies, double dt) {
  BODIES(state);
  const index_t i = begin + blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= end) return;
  const Exactly here = exact_state(state, i, LOW_OF(i));
  const auto [a, j] = pull_on(state, i, FIELD_ARGUMENT acceleration, jerk);
  keep_vector(kept, bodies, KEPT_POSITION, i, here.x);
  keep_vector(kept, bodies, KEPT_VELOCITY, i, here.v);
  keep_vector(kept, bodies, KEPT_FIRST, i, a);
  keep_vector(kept, bodies, KEPT_SECOND, i, j);
  const Exact x = plus(plus(plus(here.x, dt, here.v), dt * dt / 2, a), dt * dt * dt / 6, j);
  put_state(state, i, LOW_OF(i), {x, plus(plus(here.v, dt, a), dt * dt / 2, j)});
}

// Hermite's interpolation between both ends: v' = v + (a + a') dt/2 + (j - j') dt^2/12, and x' the same of v
// and a.
extern "C" __global__ void correct(BODIES_PARAMETER(state), const real* acceleration, const real* jerk,
                                   index_t begin, index_t end, LOW_PARAMETER FIELD_PARAMETER double* kept,
                                   index_t bodies, double dt) {
  BODIES(state);
  const index_t i = begin + blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= end) return;
  const auto [a, j] = pull_on(state, i, FIELD_ARGUMENT acceleration, jerk);
  const Exact x = kept_vector(kept, bodies, KEPT_POSITION, i),
              v = kept_vector(kept, bodies, KEPT_VELOCITY, i);
  const Exact a_begin = kept_vector(kept, bodies, KEPT_FIRST, i);
  const Exact j_begin = kept_vector(kept, bodies, KEPT_SECOND, i);
  const Exact v_change = plus(times(dt / 2, plus(a_begin, 1.0, a)), dt * dt / 12, plus(j_begin, -1.0, j));
  const Exact x_change = plus(plus(times(dt, v), dt / 2, v_change), dt * dt / 12, plus(a_begin, -1.0, a));
  put_state(state, i, LOW_OF(i), {plus(x, 1.0, x_change), plus(v, 1.0, v_change)});
}
