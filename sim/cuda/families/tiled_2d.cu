// 2-D tiling (ECE1782): a block is WIDTH threads wide and LENGTH long; each of the WIDTH threads of a body
// sums SPAN sources (the report's luf), so a block covers LENGTH bodies and WIDTH * SPAN sources, staged in
// shared memory or (STAGING none) read from global memory, as before the report's gpu4. Partial sums go to
// memory, one row of SPAN sources each, and are added by `add_partials`, or (CUBLAS_SUM) as a matrix times a
// vector of ones (sim/cuda/driver/cublas.h). BANK_SAFE: the sources of neighbouring threads are interleaved,
// so that they read different banks.
#define COVERED (WIDTH * SPAN)

extern "C" __global__ void forces(CONSTANTS_PARAMETER BODIES_PARAMETER(bodies), real* partial,
                                  SLICE_PARAMETER) {
  SLICE;
  BODIES(bodies);
  const index_t base = first + BLOCK_COLUMN * COVERED;
#if STAGING != STAGING_NONE
  __shared__ Source tile[COVERED];
  const index_t thread = threadIdx.y * WIDTH + threadIdx.x;
  for (index_t k = thread; k < COVERED; k += WIDTH * LENGTH) {
    // Past the end a source far from everything that pulls with nothing.
    tile[k] = base + k < last ? load_source(bodies, base + k) : no_source();
  }
  __syncthreads();
#endif
  const index_t i = BLOCK_TARGET(y, LENGTH) + threadIdx.y;
  if (i >= end) return;
  const Target here = load_target(bodies, i);
  real3 sum = make_real3(0, 0, 0);
  UNROLL_LOOP
  for (index_t k = 0; k < SPAN; ++k) {
#if BANK_SAFE
    const index_t slot = k * WIDTH + threadIdx.x;
#else
    const index_t slot = threadIdx.x * SPAN + k;
#endif
#if STAGING != STAGING_NONE
    interact(sum, here, tile[slot], CONSTANTS);
#else
    if (base + slot < last) interact(sum, here, load_source(bodies, base + slot), CONSTANTS);
#endif
  }
  sum = of_target(sum, here);
  const index_t row = BLOCK_COLUMN * WIDTH + threadIdx.x;
  const index_t count = end - begin;
#if CUBLAS_SUM
  // In the order of the accelerations, x y z of each body: the sum of the rows is what is wanted.
  const unsigned long long at = SLICE_SCRATCH + 3ull * row * count + 3ull * (i - begin);
  partial[at] = sum.x;
  partial[at + 1] = sum.y;
  partial[at + 2] = sum.z;
#else
  // Component by component, so that a row of bodies is contiguous.
  const unsigned long long at = SLICE_SCRATCH + 3ull * row * count + (i - begin);
  partial[at] = sum.x;
  partial[at + count] = sum.y;
  partial[at + 2ull * count] = sum.z;
#endif
}

#if !CUBLAS_SUM
extern "C" __global__ void add_partials(CONSTANTS_PARAMETER const real* partial, real* acceleration,
                                        SLICE_PARAMETER) {
  SLICE;
  const index_t rows = (last - first + COVERED - 1) / COVERED * WIDTH;
  const index_t count = end - begin;
  const index_t k = BLOCK_TARGET(x, blockDim.x) + threadIdx.x - begin;
  if (k >= count) return;
  real3 sum = make_real3(0, 0, 0);
  for (index_t row = 0; row < rows; ++row) {
    const real* p = partial + SLICE_SCRATCH + 3ull * row * count + k;
    sum.x += p[0];
    sum.y += p[count];
    sum.z += p[2ull * count];
  }
  store_acceleration(acceleration, begin + k, sum, strength(CONSTANTS));
}
#endif
