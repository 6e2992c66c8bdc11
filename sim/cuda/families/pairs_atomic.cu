// N x N threads, each one pair, added atomically (COM4521). The accelerations must be zero before.
extern "C" __global__ void forces(CONSTANTS_PARAMETER BODIES_PARAMETER(bodies),
                                  real* acceleration AFTER_SLICE_PARAMETER) {
  SLICE;
  BODIES(bodies);
  const index_t j = first + blockIdx.x * blockDim.x + threadIdx.x;
  const index_t i = begin + blockIdx.y * blockDim.y + threadIdx.y;
  if (j >= last || i >= end) return;
  real3 sum = make_real3(0, 0, 0);
  const Target here = load_target(bodies, i);
  interact(sum, here, load_source(bodies, j), CONSTANTS);
  sum = of_target(sum, here);
  atomicAdd(acceleration + 3ull * i, strength(CONSTANTS) * sum.x);
  atomicAdd(acceleration + 3ull * i + 1, strength(CONSTANTS) * sum.y);
#if DIMENSIONS == 3
  atomicAdd(acceleration + 3ull * i + 2, strength(CONSTANTS) * sum.z);
#endif
}
