// Sources are passed around the warp instead of through shared memory (named as future work in the COM4521
// report): each lane loads one of 32 sources, and every lane gets them in turn by __shfl_sync. No barriers,
// no shared memory; a shuffle for each number of a source.
__device__ __forceinline__ Source from_lane(const Source& mine, int lane) {
  static_assert(sizeof(Source) % sizeof(real) == 0, "made of real numbers");
  Source other;
#pragma unroll
  for (int k = 0; k < sizeof(Source) / sizeof(real); ++k)
    ((real*)&other)[k] = __shfl_sync(~0u, ((const real*)&mine)[k], lane);
  return other;
}

extern "C" __global__ void forces(CONSTANTS_PARAMETER BODIES_PARAMETER(bodies), real* acceleration,
                                  SLICE_PARAMETER) {
  SLICE;
  BODIES(bodies);
  const index_t i = BLOCK_TARGET(x, blockDim.x) + threadIdx.x;
  const index_t lane = threadIdx.x % 32;
  const Target here = i < end ? load_target(bodies, i) : no_target();
  real3 sum = make_real3(0, 0, 0);
  for (index_t base = first; base < last; base += 32) {
    const Source mine = base + lane < last ? load_source(bodies, base + lane) : no_source();
    UNROLL_LOOP
    for (int k = 0; k < 32; ++k) interact(sum, here, from_lane(mine, k), CONSTANTS);
  }
  if (i < end) store_acceleration(acceleration, i, of_target(sum, here), strength(CONSTANTS));
}
