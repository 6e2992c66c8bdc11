// The kernel of register_split.cu that also moves the bodies. Of the blocks that share targets, the one that
// ends last adds the partial sums of all, in the order of add_partials, so that the sums have the same bits.

/// A target's sum over `rows` rows. Other blocks wrote them: not through this multiprocessor's cache.
__device__ __forceinline__ real3 sum_of_rows(const real* partial, unsigned long long targets, index_t rows,
                                             index_t target) {
  real3 part[ADDERS];
#pragma unroll
  for (int adder = 0; adder < ADDERS; ++adder) part[adder] = make_real3(0, 0, 0);
    // Many loads at a time: each takes as long as hundreds of additions.
#pragma unroll 4
  for (index_t row = 0; row < rows; row += ADDERS) {
#pragma unroll
    for (int adder = 0; adder < ADDERS; ++adder) {
      if (row + adder >= rows) continue;
      const real* mine = partial + 3 * targets * (row + adder) + target;
      part[adder].x += __ldcg(mine);
      part[adder].y += __ldcg(mine + targets);
      part[adder].z += __ldcg(mine + 2 * targets);
    }
  }
  real3 sum = part[0];
#pragma unroll
  for (int adder = 1; adder < ADDERS; ++adder) {
    sum.x += part[adder].x;
    sum.y += part[adder].y;
    sum.z += part[adder].z;
  }
  return sum;
}

/// True in the last of the gridDim.y blocks of a column that get here. `arrived`: one counter a column, 0
/// before and after.
__device__ __forceinline__ bool is_last_of_column(unsigned* arrived) {
  __shared__ bool is_last;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    is_last = atomicAdd(arrived + blockIdx.x, 1u) == gridDim.y - 1;
    if (is_last) arrived[blockIdx.x] = 0;
  }
  __syncthreads();
  __threadfence();
  return is_last;
}

extern "C" __global__ void __launch_bounds__(BLOCK, RESIDENT > 0 ? RESIDENT : 1)
    fused_step(CONSTANTS_PARAMETER BODIES_PARAMETER(bodies), BODIES_PARAMETER(next), real* acceleration,
               unsigned* arrived, real* partial, index_t first, index_t last, index_t begin, index_t end,
               index_t range, MOVE_PARAMETER) {
  after_previous();
  BODIES(bodies);
  BODIES(next);
  __shared__ Source tile[TILE];
  const index_t from = first + blockIdx.y * range;
  const index_t to = last - from < range ? last : from + range;
  Target here[SLOTS];
  real3 sum[SLOTS];
  const real unit = sum_range(sum, here, tile, bodies, from, to, begin, end, CONSTANTS);
  const bool alone = gridDim.y == 1;
#pragma unroll
  for (int b = 0; b < SLOTS; ++b) {
    const index_t i = begin + (blockIdx.x * SLOTS + b) * BLOCK + threadIdx.x;
    sum[b] = make_real3(unit * sum[b].x, unit * sum[b].y, unit * sum[b].z);
    if (!alone && i < end) put_partial(partial, end - begin, blockIdx.y, i - begin, sum[b]);
  }
  if (!alone && !is_last_of_column(arrived)) return;
  const real factor = strength(CONSTANTS);
#pragma unroll 1
  for (int b = 0; b < SLOTS; ++b) {
    const index_t i = begin + (blockIdx.x * SLOTS + b) * BLOCK + threadIdx.x;
    if (i >= end) continue;
    real3 total = sum[0];
#pragma unroll
    for (int slot = 1; slot < SLOTS; ++slot) {
      if (slot == b) total = sum[slot];
    }
    if (!alone) total = sum_of_rows(partial, end - begin, gridDim.y, i - begin);
    move_body(bodies, next, acceleration, i, get_position(bodies, i), total, factor, MOVE);
  }
}
