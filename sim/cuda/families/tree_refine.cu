// Keys end at the cells of a grid over all bodies. Where a compact galaxy is far from others, or a cusp is
// dense, many bodies have one key. They are put in the order of a curve through a grid over their own box:
// digits of that one follow those of the common key, and cells go on being compact. A block sorts a run of
// such bodies. Where that grid is too coarse as well, as for systems within systems over many decades, the
// run follows the curve through a much finer one. Keys have no room for its digits: cells are then divided by
// number, which the order makes compact.

enum : int {
  refine_warps = refine_threads / 32,
  refine_items = 4,  // of a thread at a time
  refine_chunk = refine_threads * refine_items,
  local_digit_bits = 3 * local_bits / 2,  // sorted in one pass
  local_digits = 1 << local_digit_bits,
  fine_rounds = 5,  // of the finer grid: local_bits each
};

/// The shared memory of a block that sorts a run.
struct RefineSpace {
  CurveTurns turns;
  float low[3][refine_warps], high[3][refine_warps];
  unsigned base[local_digits];  // where the next key with this digit goes
  unsigned short of_warp[refine_warps]
                        [local_digits + 1];  // keys of a chunk; the last digit is that of no key
  unsigned end;
  bool coarse;
};

/// True if a run of bodies with one key begins here that is longer than a leaf.
__device__ __forceinline__ bool begins_run(const SortedKeys& s, unsigned i, int sorted_bits) {
  if (i >= s.bodies || s.bodies - i <= s.leaf_size) return false;
  return share(s, i, i + s.leaf_size, sorted_bits) && (i == 0 || !share(s, i - 1, i, sorted_bits));
}

/// The grid over a run: the cube at the least corner of its box.
struct LocalGrid {
  float3 least;
  float scale;
};

/// For a whole block.
__device__ LocalGrid local_grid(const Bodies& bodies, const TreeMemory& t, index_t first, int sorted,
                                unsigned begin, unsigned end, RefineSpace& space) {
  const float infinite = __uint_as_float(0x7f800000u);
  float3 low = make_float3(infinite, infinite, infinite), high = make_float3(-infinite, -infinite, -infinite);
  for (unsigned k = begin + threadIdx.x; k < end; k += refine_threads) {
    const real4 x = body_at(bodies, t, first, t.order[sorted][k]);
    const float4 at = make_float4(x.x, x.y, x.z, 0);
    widen(low, high, at, at);
  }
  const float lows[3] = {low.x, low.y, low.z}, highs[3] = {high.x, high.y, high.z};
  for (int axis = 0; axis < 3; ++axis) {
    const float least = warp_least(lows[axis]), most = warp_most(highs[axis]);
    if (threadIdx.x % 32 == 0)
      space.low[axis][threadIdx.x / 32] = least, space.high[axis][threadIdx.x / 32] = most;
  }
  __syncthreads();
  float least[3], side = 0;
  for (int axis = 0; axis < 3; ++axis) {
    float most = space.high[axis][0];
    least[axis] = space.low[axis][0];
    for (int warp = 1; warp < refine_warps; ++warp) {
      least[axis] = fminf(least[axis], space.low[axis][warp]);
      most = fmaxf(most, space.high[axis][warp]);
    }
    side = fmaxf(side, most - least[axis]);
  }
  __syncthreads();
  return {make_float3(least[0], least[1], least[2]), side > 1e-37f ? 1 / side : 0};
}

/// The position of a body on the curve through a grid of 2^bits cells a side over a run.
__device__ __forceinline__ sort_key local_key(const CurveTurns& turns, const LocalGrid& grid, real4 p,
                                              int bits) {
  const float cells = (float)(1u << bits);
  const unsigned most = (1u << bits) - 1;
  return key_of_cells(turns, min((unsigned)((p.x - grid.least.x) * grid.scale * cells), most),
                      min((unsigned)((p.y - grid.least.y) * grid.scale * cells), most),
                      min((unsigned)((p.z - grid.least.z) * grid.scale * cells), most), bits);
}

__device__ __forceinline__ unsigned local_digit(sort_key key, int pass) {
  return (unsigned)(key >> local_digit_bits * pass) & (local_digits - 1);
}

/// Counts the digits of a run, and makes of the counts where the first key with each goes.
__device__ void find_bases(const sort_key* keys, unsigned begin, unsigned end, int pass, RefineSpace& space) {
  if (threadIdx.x < local_digits) space.base[threadIdx.x] = 0;
  __syncthreads();
  for (unsigned k = begin + threadIdx.x; k < end; k += refine_threads)
    atomicAdd(&space.base[local_digit(keys[k], pass)], 1u);
  __syncthreads();
  static_assert(local_digits == 64, "two digits a lane");
  if (threadIdx.x < 32) {
    const unsigned one = space.base[2 * threadIdx.x], two = space.base[2 * threadIdx.x + 1];
    const unsigned before = begin + sum_of_lanes_before(one + two);
    space.base[2 * threadIdx.x] = before, space.base[2 * threadIdx.x + 1] = before + one;
  }
  __syncthreads();
}

/// Moves keys of a run, from the array that is read to the other one, by one digit; keys with the same one
/// keep their order.
__device__ void sort_run_by(const TreeMemory& t, int from, unsigned begin, unsigned end, int pass,
                            RefineSpace& space) {
  find_bases(t.key[from], begin, end, pass, space);
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (unsigned chunk = begin; chunk < end; chunk += refine_chunk) {
    for (unsigned k = lane; k <= local_digits; k += 32) space.of_warp[warp][k] = 0;
    __syncwarp();
    unsigned digit[refine_items], rank[refine_items];
    sort_key key[refine_items];
#pragma unroll
    for (int k = 0; k < refine_items; ++k) {
      const unsigned i = chunk + (warp * refine_items + k) * 32 + lane;
      key[k] = i < end ? t.key[from][i] : 0;
      digit[k] = i < end ? local_digit(key[k], pass) : (unsigned)local_digits;
      const unsigned same = __match_any_sync(~0u, digit[k]), leader = __ffs(same) - 1;
      unsigned before = 0;
      if (lane == leader) {
        before = space.of_warp[warp][digit[k]];
        space.of_warp[warp][digit[k]] = (unsigned short)(before + __popc(same));
      }
      rank[k] = __shfl_sync(~0u, before, leader) + __popc(same & ((1u << lane) - 1));
      __syncwarp();
    }
    __syncthreads();
    unsigned total = 0;
    for (int w = 0; threadIdx.x < local_digits && w < refine_warps; ++w) {
      const unsigned count = space.of_warp[w][threadIdx.x];
      space.of_warp[w][threadIdx.x] = (unsigned short)total;
      total += count;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < refine_items; ++k) {
      const unsigned i = chunk + (warp * refine_items + k) * 32 + lane;
      if (i >= end) continue;
      const unsigned to = space.base[digit[k]] + space.of_warp[warp][digit[k]] + rank[k];
      t.key[1 - from][to] = key[k];
      t.order[1 - from][to] = t.order[from][i];
    }
    __syncthreads();
    if (threadIdx.x < local_digits) space.base[threadIdx.x] += total;
  }
  __syncthreads();
}

/// Sorts a run along the curve through a grid of so many times local_bits, from the last digits on. The first
/// ones stay behind the common key, whose digits other blocks read meanwhile.
__device__ void sort_along(const Bodies& bodies, const TreeMemory& t, index_t first, int sorted,
                           unsigned begin, unsigned end, const LocalGrid& grid, int rounds,
                           RefineSpace& space) {
  const sort_key all = (1ull << 3 * local_bits) - 1, common = t.key[sorted][begin] & ~all;
  __syncthreads();
  for (int round = 0; round < rounds; ++round) {
    for (unsigned k = begin + threadIdx.x; k < end; k += refine_threads) {
      const real4 p = body_at(bodies, t, first, t.order[sorted][k]);
      const sort_key key = local_key(space.turns, grid, p, rounds * local_bits);
      t.key[sorted][k] = common | (key >> 3 * local_bits * round & all);
    }
    __syncthreads();
    sort_run_by(t, sorted, begin, end, 0, space);
    sort_run_by(t, 1 - sorted, begin, end, 1, space);
  }
}

/// True for all threads of a block if more bodies than a leaf holds have one key still.
__device__ bool is_coarse(const SortedKeys& s, unsigned begin, unsigned end, RefineSpace& space) {
  if (threadIdx.x == 0) space.coarse = false;
  __syncthreads();
  for (unsigned k = begin + threadIdx.x; k + s.leaf_size < end; k += refine_threads) {
    if (s.keys[k] == s.keys[k + s.leaf_size]) space.coarse = true;
  }
  __syncthreads();
  return space.coarse;
}

// Puts bodies with one key into the order of a finer grid. Tiles as tree_mark's; a run belongs to the tile in
// which it begins. `sorted_bits`: octal digits of the keys of all bodies.
extern "C" __global__ void __launch_bounds__(refine_threads)
    tree_refine(BODIES_PARAMETER(bodies), TreeMemory t, index_t first, int sorted, index_t leaf_size,
                int sorted_bits) {
  BODIES(bodies);
  __shared__ RefineSpace space;
  __shared__ unsigned runs, run[build_tile / 2 + 1];
  const SortedKeys keys = {t.key[sorted], t.bodies, leaf_size, sorted_bits + local_bits};
  if (threadIdx.x == 0) runs = 0;
  __syncthreads();
  for (unsigned k = threadIdx.x; k < build_tile; k += refine_threads) {
    const unsigned i = blockIdx.x * build_tile + k;
    if (begins_run(keys, i, sorted_bits)) run[atomicAdd(&runs, 1u)] = i;
  }
  __syncthreads();
  if (runs == 0) return;
  find_turns(space.turns);
  for (unsigned k = 0; k < runs; ++k) {
    const unsigned begin = run[k];
    if (threadIdx.x < 32) {
      const unsigned end = cell_end(keys, begin, sorted_bits, begin + leaf_size, 0);
      if (threadIdx.x == 0) space.end = end;
    }
    __syncthreads();
    const unsigned end = space.end;
    const LocalGrid grid = local_grid(bodies, t, first, sorted, begin, end, space);
    sort_along(bodies, t, first, sorted, begin, end, grid, 1, space);
    if (is_coarse(keys, begin, end, space))
      sort_along(bodies, t, first, sorted, begin, end, grid, fine_rounds, space);
  }
}
