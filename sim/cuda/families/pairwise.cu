// One thread a body, every source from global memory (the reports' first GPU rung).
extern "C" __global__ void forces(CONSTANTS_PARAMETER BODIES_PARAMETER(bodies),
                                  real* acceleration AFTER_SLICE_PARAMETER) {
  SLICE;
  BODIES(bodies);
  const index_t i = BLOCK_TARGET(x, blockDim.x) + threadIdx.x;
  if (i >= end) return;
  const Target here = load_target(bodies, i);
  real3 sum = make_real3(0, 0, 0);
  UNROLL_LOOP
  for (index_t j = first; j < last; ++j) interact(sum, here, load_source(bodies, j), CONSTANTS);
  store_acceleration(acceleration, i, of_target(sum, here), strength(CONSTANTS));
}
