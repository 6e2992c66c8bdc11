// One block a galaxy, and all of its steps in one launch (ECE415 2025, up to the rung unrolled): nobody else
// needs its bodies, so that a barrier of the block is enough between two steps. Steps take turns between the
// two sets of bodies. What is read was written by this kernel, so that the read-only cache would be wrong:
// `loads` has no effect.
extern "C" __global__ void fused_steps(CONSTANTS_PARAMETER BODIES_PARAMETER(bodies), BODIES_PARAMETER(next),
                                       real* acceleration, const index_t* galaxies, index_t steps,
                                       MOVE_PARAMETER) {
  BODIES(bodies);
  BODIES(next);
  const index_t first = galaxies[blockIdx.x];
  const index_t last = galaxies[blockIdx.x + 1];
#if STAGING != STAGING_NONE
  __shared__ real4 tile[TILE];
#endif
  for (index_t step = 0; step < steps; ++step) {
    const Bodies from = step % 2 == 0 ? bodies : next;
    const Bodies to = step % 2 == 0 ? next : bodies;
    // The same number of turns for all threads: there are barriers inside.
    for (index_t turn = first; turn < last; turn += blockDim.x) {
      const index_t i = turn + threadIdx.x;
      const real4 here = i < last ? get_position(from, i) : make_real4(0, 0, 0, 0);
      real3 sum = make_real3(0, 0, 0);
#if STAGING != STAGING_NONE
      for (index_t base = first; base < last; base += TILE) {
        const index_t count = last - base < TILE ? last - base : TILE;
        for (index_t k = threadIdx.x; k < count; k += blockDim.x) tile[k] = get_position(from, base + k);
        __syncthreads();
        if (count == TILE) {
          UNROLL_LOOP
          for (index_t k = 0; k < TILE; ++k) interact(sum, here, tile[k], CONSTANTS);
        } else {
          for (index_t k = 0; k < count; ++k) interact(sum, here, tile[k], CONSTANTS);
        }
        __syncthreads();
      }
#else
      if (i >= last) continue;
      UNROLL_LOOP
      for (index_t j = first; j < last; ++j) interact(sum, here, get_position(from, j), CONSTANTS);
#endif
      if (i < last) move_body(from, to, acceleration, i, here, sum, strength(CONSTANTS), MOVE);
    }
    __syncthreads();
  }
}
