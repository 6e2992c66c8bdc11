// Forces and update in one kernel, which also writes the vertices that are drawn.
extern "C" __global__ void fused_step(CONSTANTS_PARAMETER BODIES_PARAMETER(bodies), BODIES_PARAMETER(next),
                                      real* acceleration, SLICE_PARAMETER, MOVE_PARAMETER) {
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
  if (i < end) move_body(bodies, next, acceleration, i, here, sum, strength(CONSTANTS), MOVE);
}
