// Tiles of sources are brought to shared memory by Hopper's bulk copy engine, one while the other is used:
// one thread asks for a whole tile, and a barrier in shared memory (mbarrier) counts the bytes that have
// arrived (PTX ISA, cp.async.bulk and mbarrier). Before compute capability 9.0, and by
// compilers before CUDA 12, which do not know the instructions, all threads copy, into the same two tiles.
#define TILES 2
#define HAS_BULK_COPIES (__CUDA_ARCH__ >= 900 && __CUDACC_VER_MAJOR__ >= 12)

#if HAS_BULK_COPIES
typedef unsigned long long barrier_t;
/// Addresses of shared memory as instructions take them.
__device__ __forceinline__ unsigned int shared_address(const void* pointer) {
  return (unsigned int)__cvta_generic_to_shared(pointer);
}
/// One arrival and the bytes of a tile complete a phase of a barrier. By one thread; a block barrier follows.
__device__ __forceinline__ void begin_copies(barrier_t* arrived) {
  for (int t = 0; t < TILES; ++t)
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(arrived + t)) : "memory");
  // The copy engine sees the barriers as they are now.
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
/// By one thread.
__device__ __forceinline__ void copy_tile(real4* tile, const real4* from, index_t count, barrier_t* arrived) {
  const unsigned int bytes = count * (unsigned int)sizeof(real4);
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(arrived)),
               "r"(bytes)
               : "memory");
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
          shared_address(tile)),
      "l"(__cvta_generic_to_global(from)), "r"(bytes), "r"(shared_address(arrived))
      : "memory");
}
/// By all threads: waits for phase 0, 1, 0, ... of a barrier.
__device__ __forceinline__ void wait_for_tile(barrier_t* arrived, unsigned int phase) {
  unsigned int done = 0;
  while (!done) {
    asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}"
                 : "=r"(done)
                 : "r"(shared_address(arrived)), "r"(phase)
                 : "memory");
  }
}
#endif

/// Sums the pull of `count` sources of a tile.
__device__ __forceinline__ void sum_tile(real3& sum, const Target& here, const real4* tile, index_t count,
                                         const Constants& constants) {
  if (count == TILE) {
    UNROLL_LOOP
    for (index_t k = 0; k < TILE; ++k) interact(sum, here, tile[k], constants);
  } else {
    for (index_t k = 0; k < count; ++k) interact(sum, here, tile[k], constants);
  }
}

/// Sources of the tile that begins at `base`.
__device__ __forceinline__ index_t tile_count(index_t base, index_t last) {
  return last - base < TILE ? last - base : TILE;
}

extern "C" __global__ void forces(CONSTANTS_PARAMETER BODIES_PARAMETER(bodies), real* acceleration,
                                  SLICE_PARAMETER) {
  SLICE;
  BODIES(bodies);
  __shared__ __align__(128) real4 tiles[TILES][TILE];
  const index_t i = BLOCK_TARGET(x, blockDim.x) + threadIdx.x;
  const Target here = i < end ? load_target(bodies, i) : no_target();
  const real4* sources = bodies.position;
  real3 sum = make_real3(0, 0, 0);
#if HAS_BULK_COPIES
  __shared__ barrier_t arrived[TILES];
  if (threadIdx.x == 0) {
    begin_copies(arrived);
    for (index_t t = 0; t < TILES && first + t * TILE < last; ++t)
      copy_tile(tiles[t], sources + first + t * TILE, tile_count(first + t * TILE, last), arrived + t);
  }
  __syncthreads();
  index_t turn = 0;
  for (index_t base = first; base < last; base += TILE, ++turn) {
    const index_t t = turn % TILES;
    wait_for_tile(arrived + t, turn / TILES % 2);
    sum_tile(sum, here, tiles[t], tile_count(base, last), CONSTANTS);
    // Nobody reads this tile any more: the one after the next may come.
    __syncthreads();
    const index_t next = base + TILES * TILE;
    if (threadIdx.x == 0 && next < last)
      copy_tile(tiles[t], sources + next, tile_count(next, last), arrived + t);
  }
#else
  for (index_t k = threadIdx.x; k < tile_count(first, last); k += blockDim.x)
    tiles[0][k] = load_source(bodies, first + k);
  __syncthreads();
  index_t turn = 0;
  for (index_t base = first; base < last; base += TILE, ++turn) {
    const index_t next = base + TILE;
    if (next < last) {
      for (index_t k = threadIdx.x; k < tile_count(next, last); k += blockDim.x)
        tiles[(turn + 1) % TILES][k] = load_source(bodies, next + k);
    }
    sum_tile(sum, here, tiles[turn % TILES], tile_count(base, last), CONSTANTS);
    __syncthreads();
  }
#endif
  if (i < end) store_acceleration(acceleration, i, of_target(sum, here), strength(CONSTANTS));
}
