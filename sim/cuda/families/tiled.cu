// Sources are staged through shared memory, TILE at a time (NVIDIA's tiling). Any N: every thread of a block
// takes part in the loads and barriers, whether it has a body of its own or not.
#if STAGING == STAGING_BODIES && !CHARGES
struct Staged {  // whole bodies, as the 2022 report's first tiled kernel
  real x, y, z, vx, vy, vz, mass;
};
__device__ __forceinline__ Staged stage(const Bodies& b, index_t j) {
  const real4 p = load_source(b, j);
  const real3 v = get_velocity(b, j);
  return {p.x, p.y, p.z, v.x, v.y, v.z, p.w};
}
__device__ __forceinline__ real4 source_of(const Staged& s) { return make_real4(s.x, s.y, s.z, s.mass); }
#elif STAGING == STAGING_BODIES
struct Staged {
  Source source;
  real mass;
};
__device__ __forceinline__ Staged stage(const Bodies& b, index_t j) {
  return {load_source(b, j), get_position(b, j).w};
}
__device__ __forceinline__ Source source_of(const Staged& s) { return s.source; }
#else
typedef Source Staged;
__device__ __forceinline__ Staged stage(const Bodies& b, index_t j) { return load_source(b, j); }
__device__ __forceinline__ Source source_of(const Staged& s) { return s; }
#endif

extern "C" __global__ void forces(CONSTANTS_PARAMETER BODIES_PARAMETER(bodies),
                                  real* acceleration AFTER_SLICE_PARAMETER) {
  SLICE;
  BODIES(bodies);
  __shared__ Staged tile[TILE];
  const index_t i = BLOCK_TARGET(x, blockDim.x) + threadIdx.x;
  const Target here = i < end ? load_target(bodies, i) : no_target();
  real3 sum = make_real3(0, 0, 0);
  for (index_t base = first; base < last; base += TILE) {
    const index_t count = last - base < TILE ? last - base : TILE;
    for (index_t k = threadIdx.x; k < count; k += blockDim.x) tile[k] = stage(bodies, base + k);
    __syncthreads();
    if (count == TILE) {
      UNROLL_LOOP
      for (index_t k = 0; k < TILE; ++k) interact(sum, here, source_of(tile[k]), CONSTANTS);
    } else {
      for (index_t k = 0; k < count; ++k) interact(sum, here, source_of(tile[k]), CONSTANTS);
    }
    __syncthreads();
  }
  if (i < end) store_acceleration(acceleration, i, of_target(sum, here), strength(CONSTANTS));
}
