// One block a galaxy, its bodies strided over the threads (ECE415 2025, first GPU rungs). One launch for all
// galaxies; `galaxies` holds the first body of each, and the end. Unless STAGING is none, the sources go
// through shared memory, TILE at a time.
extern "C" __global__ void forces(CONSTANTS_PARAMETER BODIES_PARAMETER(bodies), real* acceleration,
                                  const index_t* galaxies) {
  BODIES(bodies);
  const index_t first = galaxies[blockIdx.x];
  const index_t last = galaxies[blockIdx.x + 1];
#if STAGING != STAGING_NONE
  __shared__ Source tile[TILE];
#endif
  // The same number of turns for all threads: there are barriers inside.
  for (index_t turn = first; turn < last; turn += blockDim.x) {
    const index_t i = turn + threadIdx.x;
    const Target here = i < last ? load_target(bodies, i) : no_target();
    real3 sum = make_real3(0, 0, 0);
#if STAGING != STAGING_NONE
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
#else
    if (i >= last) continue;
    UNROLL_LOOP
    for (index_t j = first; j < last; ++j) interact(sum, here, load_source(bodies, j), CONSTANTS);
#endif
    if (i < last) store_acceleration(acceleration, i, of_target(sum, here), strength(CONSTANTS));
  }
}
