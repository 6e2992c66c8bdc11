// One block a galaxy, its bodies strided over the threads (ECE415 2025, first GPU rung). One launch for all
// galaxies; `galaxies` holds the first body of each, and the end.
extern "C" __global__ void forces(CONSTANTS_PARAMETER BODIES_PARAMETER(bodies), real* acceleration,
                                  const index_t* galaxies) {
  BODIES(bodies);
  const index_t first = galaxies[blockIdx.x];
  const index_t last = galaxies[blockIdx.x + 1];
  for (index_t i = first + threadIdx.x; i < last; i += blockDim.x) {
    const Target here = load_target(bodies, i);
    real3 sum = make_real3(0, 0, 0);
    UNROLL_LOOP
    for (index_t j = first; j < last; ++j) interact(sum, here, load_source(bodies, j), CONSTANTS);
    store_acceleration(acceleration, i, of_target(sum, here), strength(CONSTANTS));
  }
}
