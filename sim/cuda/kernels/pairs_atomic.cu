// N x N threads, each one pair, added atomically (COM4521). The accelerations must be zero before.
extern "C" __global__ void forces(CONSTANTS_PARAMETER BODIES_PARAMETER(bodies), real* acceleration,
                                  index_t first, index_t last, index_t begin, index_t end) {
  BODIES(bodies);
  const index_t j = first + blockIdx.x * blockDim.x + threadIdx.x;
  const index_t i = begin + blockIdx.y;
  if (j >= last || i >= end) return;
  real3 sum = make_real3(0, 0, 0);
  interact(sum, get_position(bodies, i), load_source(bodies, j), CONSTANTS.softening_squared);
  atomicAdd(acceleration + 3ull * i, CONSTANTS.gravity * sum.x);
  atomicAdd(acceleration + 3ull * i + 1, CONSTANTS.gravity * sum.y);
#if DIMENSIONS == 3
  atomicAdd(acceleration + 3ull * i + 2, CONSTANTS.gravity * sum.z);
#endif
}
