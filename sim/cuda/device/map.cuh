// The activity map: bodies counted in the cells of a plane (COM4521), and their normalisation. MAP_IN_UPDATE:
// the update kernel counts. What decides the cell of a body stands in sim/activity/activity_map.h; the
// results agree bit for bit.
#if CONSTANT_MEMORY
__constant__ MapCells map_constant;
#define MAP_PARAMETER
#define MAP map_constant
#else
#define MAP_PARAMETER const MapCells map_argument,
#define MAP map_argument
#endif

#if CONSTANT_MEMORY == CONSTANT_MEMORY_CONSTANT_MEMORY_ALL
__constant__ CountRange count_range;
#define COUNT_PARAMETER
#define COUNT const index_t begin = count_range.begin, end = count_range.end
#else
#define COUNT_PARAMETER index_t begin, index_t end,
#define COUNT
#endif

#define MAP_OUTSIDE 0xffffffffu

/// a <= b, also of denormal numbers where the code is compiled to flush them.
__device__ __forceinline__ bool at_most(float a, float b) {
  int result;
  asm("{ .reg .pred p; setp.le.f32 p, %1, %2; selp.s32 %0, 1, 0, p; }" : "=r"(result) : "f"(a), "f"(b));
  return result != 0;
}

/// Column or row of a place.
__device__ __forceinline__ index_t map_place(float x, float first, float per_length, index_t size) {
  const index_t place = (index_t)__fmul_rn(__fsub_rn(x, first), per_length);
  return place < size ? place : size - 1;
}

/// Row x D + column; MAP_OUTSIDE for bodies outside of the box, and for what is no number.
__device__ __forceinline__ index_t map_cell(const MapCells& map, const real4& x) {
  const float along = (float)(map.column_axis == 0 ? x.x : x.y);
  const float up = (float)(map.row_axis == 1 ? x.y : x.z);
  if (!(at_most(map.left, along) && at_most(along, map.right) && at_most(map.bottom, up) &&
        at_most(up, map.top)))
    return MAP_OUTSIDE;
  return map_place(up, map.bottom, map.rows_per_length, map.size) * map.size +
         map_place(along, map.left, map.columns_per_length, map.size);
}

/// A thread a body adds to the map in global memory.
extern "C" __global__ void count_map(BODIES_PARAMETER(bodies),
                                     COUNT_PARAMETER MAP_PARAMETER index_t* counts) {
  COUNT;
  BODIES(bodies);
  const index_t i = begin + blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= end) return;
  const index_t cell = map_cell(MAP, get_position(bodies, i));
  if (cell != MAP_OUTSIDE) atomicAdd(counts + cell, 1u);
}

/// Every block counts into a map of its own in shared memory, and adds what is not 0 to the map.
extern "C" __global__ void count_map_shared(BODIES_PARAMETER(bodies),
                                            COUNT_PARAMETER MAP_PARAMETER index_t* counts) {
  COUNT;
  extern __shared__ index_t counts_of_block[];
  BODIES(bodies);
  const index_t cells = MAP.size * MAP.size;
  for (index_t k = threadIdx.x; k < cells; k += blockDim.x) counts_of_block[k] = 0;
  __syncthreads();
  for (index_t i = begin + blockIdx.x * blockDim.x + threadIdx.x; i < end; i += gridDim.x * blockDim.x) {
    const index_t cell = map_cell(MAP, get_position(bodies, i));
    if (cell != MAP_OUTSIDE) atomicAdd(counts_of_block + cell, 1u);
  }
  __syncthreads();
  for (index_t k = threadIdx.x; k < cells; k += blockDim.x) {
    const index_t count = counts_of_block[k];
    if (count != 0) atomicAdd(counts + k, count);
  }
}

/// Adds the counts of other bodies of the same map.
extern "C" __global__ void add_map(MAP_PARAMETER const index_t* __restrict__ from, index_t* counts) {
  const index_t cells = MAP.size * MAP.size;
  for (index_t k = blockIdx.x * blockDim.x + threadIdx.x; k < cells; k += gridDim.x * blockDim.x)
    counts[k] += from[k];
}

/// Values of the cells, after a header whose first float becomes the largest value. It must be 0 before.
extern "C" __global__ void normalise_map(MAP_PARAMETER const index_t* __restrict__ counts, float* target) {
  const index_t cells = MAP.size * MAP.size;
  float largest = 0.0f;
  for (index_t k = blockIdx.x * blockDim.x + threadIdx.x; k < cells; k += gridDim.x * blockDim.x) {
    const float value = fminf(__fmul_rn(__uint2float_rn(counts[k]), MAP.factor), MAP.most);
    target[map_header + k] = value;
    largest = fmaxf(largest, value);
  }
  // Floats that are not negative have the order of their bits.
  for (int lane = 16; lane > 0; lane /= 2)
    largest = fmaxf(largest, __shfl_xor_sync(0xffffffffu, largest, lane));
  if (threadIdx.x % 32 == 0 && largest > 0.0f) atomicMax((unsigned*)target, __float_as_uint(largest));
}
