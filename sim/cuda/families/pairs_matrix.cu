// N x N threads write the matrix of pair forces; a second kernel adds its rows.
// ROW_BLOCK 0: one thread a row (COM4521). ROW_BLOCK 1: one block a row, tree in shared memory (the electric
// report).
extern "C" __global__ void forces(CONSTANTS_PARAMETER BODIES_PARAMETER(bodies),
                                  real4* matrix AFTER_SLICE_PARAMETER) {
  SLICE;
  BODIES(bodies);
  const index_t j = first + blockIdx.x * blockDim.x + threadIdx.x;
  const index_t i = begin + blockIdx.y * blockDim.y + threadIdx.y;
  if (j >= last || i >= end) return;
  real3 sum = make_real3(0, 0, 0);
  const Target here = load_target(bodies, i);
  interact(sum, here, load_source(bodies, j), CONSTANTS);
  sum = of_target(sum, here);
  matrix[(unsigned long long)(i - begin) * (last - first) + (j - first)] = make_real4(sum.x, sum.y, sum.z, 0);
}

#if CONSTANT_MEMORY == CONSTANT_MEMORY_CONSTANT_MEMORY_ALL
#define ROWS_PARAMETER
#define ROWS                                                                               \
  const index_t columns = force_range.last - force_range.first, begin = force_range.begin, \
                end = force_range.end
#else
#define ROWS_PARAMETER , index_t columns, index_t begin, index_t end
#define ROWS
#endif

#if ROW_BLOCK
extern "C" __global__ void add_rows(CONSTANTS_PARAMETER const real4* matrix,
                                    real* acceleration ROWS_PARAMETER) {
  ROWS;
  __shared__ real3 partial[ROW_THREADS];
  const index_t i = begin + blockIdx.x;
  const real4* row = matrix + (unsigned long long)blockIdx.x * columns;
  real3 sum = make_real3(0, 0, 0);
  for (index_t j = threadIdx.x; j < columns; j += ROW_THREADS) {
    sum.x += row[j].x;
    sum.y += row[j].y;
    sum.z += row[j].z;
  }
  partial[threadIdx.x] = sum;
  __syncthreads();
  for (index_t half = ROW_THREADS / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) {
      partial[threadIdx.x].x += partial[threadIdx.x + half].x;
      partial[threadIdx.x].y += partial[threadIdx.x + half].y;
      partial[threadIdx.x].z += partial[threadIdx.x + half].z;
    }
    __syncthreads();
  }
  if (threadIdx.x == 0 && i < end) store_acceleration(acceleration, i, partial[0], strength(CONSTANTS));
}
#else
extern "C" __global__ void add_rows(CONSTANTS_PARAMETER const real4* matrix,
                                    real* acceleration ROWS_PARAMETER) {
  ROWS;
  const index_t i = begin + blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= end) return;
  const real4* row = matrix + (unsigned long long)(i - begin) * columns;
  real3 sum = make_real3(0, 0, 0);
  for (index_t j = 0; j < columns; ++j) {
    sum.x += row[j].x;
    sum.y += row[j].y;
    sum.z += row[j].z;
  }
  store_acceleration(acceleration, i, sum, strength(CONSTANTS));
}
#endif
