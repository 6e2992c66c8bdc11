// Forces and update in one kernel: reads one set of bodies and writes the other. What is drawn, `publish`
// copies from there. For integrators that need the forces once, before the update.
extern "C" __global__ void fused_step(CONSTANTS_PARAMETER BODIES_PARAMETER(bodies), BODIES_PARAMETER(next),
                                      real* acceleration, SLICE_PARAMETER, real dt, int old_velocity) {
  SLICE;
  BODIES(bodies);
  BODIES(next);
  __shared__ real4 tile[TILE];
  const index_t i = BLOCK_TARGET(x, blockDim.x) + threadIdx.x;
  const real4 here = i < end ? get_position(bodies, i) : make_real4(0, 0, 0, 0);
  real3 sum = make_real3(0, 0, 0);
  for (index_t base = first; base < last; base += TILE) {
    const index_t count = last - base < TILE ? last - base : TILE;
    for (index_t k = threadIdx.x; k < count; k += blockDim.x) tile[k] = load_source(bodies, base + k);
    __syncthreads();
    if (count == TILE) {
      UNROLL_LOOP
      for (index_t k = 0; k < TILE; ++k) interact(sum, here, tile[k], CONSTANTS);
    } else {
      for (index_t k = 0; k < count; ++k) interact(sum, here, tile[k], CONSTANTS);
    }
    __syncthreads();
  }
  if (i >= end) return;
  const real g = strength(CONSTANTS);
  const real3 v = get_velocity(bodies, i);
  const real3 u = make_real3(v.x + dt * g * sum.x, v.y + dt * g * sum.y, v.z + dt * g * sum.z);
  const real3 drift = old_velocity ? v : u;
  store_acceleration(acceleration, i, sum, g);
  put_velocity(next, i, u.x, u.y, u.z);
  put_position(next, i, here.x + dt * drift.x, here.y + dt * drift.y, here.z + dt * drift.z, here.w);
}
