// 2-D tiling (ECE1782): a block is WIDTH threads wide and LENGTH long; each of the WIDTH threads of a body
// sums SPAN sources (the report's luf), so a block covers LENGTH bodies and WIDTH * SPAN sources, staged in
// shared memory or (STAGING none) read from global memory, as before the report's gpu4. Partial sums go to
// memory, one row of SPAN sources each, and are added by `add_partials`, or (SUM_TREE) by several threads a
// body, or (SUM_CUBLAS) as a matrix times a vector of ones (sim/cuda/driver/cublas.h). BANK_SAFE: the sources
// of neighbouring threads are interleaved, so that they read different banks; BANK_SAFE_WRITES: so that they
// write different ones. Else each thread stages a range of its own (the report's 4.7.1).
#define COVERED (WIDTH * SPAN)

extern "C" __global__ void forces(CONSTANTS_PARAMETER BODIES_PARAMETER(bodies), real* partial,
                                  SLICE_PARAMETER) {
  SLICE;
  BODIES(bodies);
  const index_t base = first + BLOCK_COLUMN * COVERED;
#if STAGING != STAGING_NONE
  __shared__ Source tile[COVERED];
  const index_t thread = threadIdx.y * WIDTH + threadIdx.x;
#if BANK_SAFE_WRITES
  for (index_t k = thread; k < COVERED; k += WIDTH * LENGTH) {
#else
  constexpr index_t own = (COVERED + WIDTH * LENGTH - 1) / (WIDTH * LENGTH);
  for (index_t k = thread * own; k < (thread + 1) * own && k < COVERED; ++k) {
#endif
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
#if SUM == SUM_CUBLAS
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

#if SUM == SUM_KERNEL
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

#if SUM == SUM_TREE
// A warp reads the same row of neighbouring bodies; the block's row y of threads adds rows y, y + tree_parts,
// ..., and then half of them add what the other half has, until one is left (M. Harris:
// Optimizing Parallel Reduction in CUDA; the report's section 6.3).
extern "C" __global__ void add_partials_tree(CONSTANTS_PARAMETER const real* partial, real* acceleration,
                                             SLICE_PARAMETER) {
  SLICE;
  __shared__ real3 parts[tree_parts][tree_bodies];
  const index_t rows = (last - first + COVERED - 1) / COVERED * WIDTH;
  const index_t count = end - begin;
  const index_t k = blockIdx.x * tree_bodies + threadIdx.x;
  const index_t part = threadIdx.y;
  real3 sum = make_real3(0, 0, 0);
  for (index_t row = part; k < count && row < rows; row += tree_parts) {
    const real* p = partial + SLICE_SCRATCH + 3ull * row * count + k;
    sum = make_real3(sum.x + p[0], sum.y + p[count], sum.z + p[2ull * count]);
  }
  parts[part][threadIdx.x] = sum;
  for (index_t half = tree_parts / 2; half > 0; half /= 2) {
    __syncthreads();
    if (part >= half) continue;
    const real3 other = parts[part + half][threadIdx.x];
    sum = make_real3(sum.x + other.x, sum.y + other.y, sum.z + other.z);
    parts[part][threadIdx.x] = sum;
  }
  if (part == 0 && k < count) store_acceleration(acceleration, begin + k, sum, strength(CONSTANTS));
}
#endif
