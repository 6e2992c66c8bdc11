// Gravity on tensor cores, every pair of bodies once (tensor_common.cuh): a weight serves the sums of both.
// Bodies are cut into tiles of STAGED. A block keeps a tile of targets, 64 a warp, and meets the tiles after
// it, half way round the circle of tiles: so every pair of tiles meets once. The sources' sums take the
// weights transposed; the four warps' are added in shared memory. All sums go to memory as whole numbers of
// 64 bits, whose order of addition does not matter: the result does not depend on which block comes first.
// blockIdx.y is a range of the tiles that are met.
static_assert(BLOCK == pair_threads && ROW_TILES == pair_row_tiles);

#define TARGETS (16 * ROW_TILES)  // of a warp: a group of sources as the others see them
// So many tiles are met before the targets' sums become whole numbers: a longer sum in FP32 loses digits.
#define TILES_OF_A_SUM 64

/// The scale of sums before they become whole numbers: those of all groups stay below 2^62.
__device__ __forceinline__ float unit_of_totals(index_t n) {
  const index_t groups = padded(n) / GROUP;
  return __int_as_float((127 + 29 - (32 - __clz(groups - 1))) << 23);
}
__device__ __forceinline__ void add_total(total_t* totals, index_t size, index_t column, index_t body,
                                          float sum) {
  atomicAdd(totals + (unsigned long long)column * size + body, (total_t)__float2ll_rn(sum));
}

/// A thread's parts of 16 targets: of their rows of distances and columns of sums.
struct Row {
  word a[4];
  uint2 sums;
};
__device__ __forceinline__ Row load_row(char* scratch, index_t n, index_t target, index_t lane) {
  const uint2* rows = rows_of(scratch, n) + 4ull * target + lane;
  const uint2 top = rows[0], bottom = rows[32];
  return {{top.x, bottom.x, top.y, bottom.y},
          ((const uint2*)(sums_of(scratch, n) + (unsigned long long)target * SUM_WORDS))[lane]};
}

__device__ __forceinline__ word transposed(word matrix) {
  word result;
  asm("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(result) : "r"(matrix));
  return result;
}

/// Adds high and low parts, which are two lanes apart: a lane gets two columns of one of its two rows.
__device__ __forceinline__ float2 whole_sums(const float (&sum)[4], index_t lane) {
  const bool low = lane & 2;
  const float x = __shfl_xor_sync(~0u, low ? sum[0] : sum[2], 2);
  const float y = __shfl_xor_sync(~0u, low ? sum[1] : sum[3], 2);
  return make_float2((low ? sum[2] : sum[0]) + x, (low ? sum[3] : sum[1]) + y);
}
/// The row and the first column of that.
__device__ __forceinline__ index_t whole_row(index_t lane) { return lane / 4 + (lane & 2) * 4; }
__device__ __forceinline__ index_t whole_column(index_t lane) { return (lane & 1) * 2; }

/// Adds 16 x 16 weights times the sources to the targets' sums, and the other way round.
__device__ __forceinline__ void add_products(float (&sum)[4], float (&back)[4], const word (&w)[4],
                                             const uint2& targets, const uint2& sources) {
  product_of_halves(sum, w, sources.x, sources.y, sum);
  const word t[4] = {transposed(w[0]), transposed(w[2]), transposed(w[1]), transposed(w[3])};
  product_of_halves(back, t, targets.x, targets.y, back);
}

/// The sums of 16 sources and the targets of one warp, and of the targets and these sources.
__device__ __forceinline__ float2 add_sources(float (&sum)[ROW_TILES][4], const Row (&row)[ROW_TILES],
                                              const uint4& distances, const uint2& sums, index_t lane) {
  const float zero[4] = {0, 0, 0, 0};
  float back[4] = {0, 0, 0, 0};
#pragma unroll
  for (int r = 0; r < ROW_TILES; ++r) {
    float left[4], right[4];
    product_of_halves(left, row[r].a, distances.x, distances.y, zero);
    product_of_halves(right, row[r].a, distances.z, distances.w, zero);
    word high[4], low[4];
    weights_of(high, low, left, right);
    add_products(sum[r], back, high, row[r].sums, sums);
#if SPLIT_WEIGHTS
    add_products(sum[r], back, low, row[r].sums, sums);
#endif
  }
  return whole_sums(back, lane);
}

/// Adds the sums of a warp's targets to the totals, and begins with new ones.
__device__ __forceinline__ void take_targets(float (&total)[ROW_TILES][4], total_t* totals, index_t size,
                                             index_t target, index_t lane, float unit) {
#pragma unroll
  for (int r = 0; r < ROW_TILES; ++r) {
    const float2 whole = whole_sums(total[r], lane);
    const index_t body = target + 16 * r + whole_row(lane);
    add_total(totals, size, whole_column(lane), body, unit * whole.x);
    add_total(totals, size, whole_column(lane) + 1, body, unit * whole.y);
#pragma unroll
    for (int q = 0; q < 4; ++q) total[r][q] = 0;
  }
}

/// The sources of the tile at `source`: adds what the four warps found for them. A thread has two of them.
__device__ __forceinline__ void take_sources(const float4 (&part)[WARPS][STAGED], total_t* totals,
                                             word* marks, index_t source, index_t target, index_t size,
                                             index_t words, float unit) {
  const index_t lane = threadIdx.x % 32;
#pragma unroll
  for (index_t k = threadIdx.x; k < STAGED; k += BLOCK) {
    float4 all = make_float4(0, 0, 0, 0);
#pragma unroll
    for (int warp = 0; warp < WARPS; ++warp) {
      const float4 p = part[warp][k];
      const bool spoilt = !(fabsf(p.x) + fabsf(p.y) + fabsf(p.z) + fabsf(p.w) < MOST);
      // Marks are for 16 bodies together.
      if (__ballot_sync(~0u, spoilt) >> (lane & 16) & 0xffff) {
        if (lane % 16 == 0) mark(marks, (source + k) / 16, words, target / GROUP + warp);
        continue;
      }
      all.x += p.x, all.y += p.y, all.z += p.z, all.w += p.w;
    }
    add_total(totals, size, 0, source + k, unit * all.x);
    add_total(totals, size, 1, source + k, unit * all.y);
    add_total(totals, size, 2, source + k, unit * all.z);
    add_total(totals, size, 3, source + k, unit * all.w);
  }
}

#if MAX_REGISTERS > 0
#define RESIDENT 1
#else
#define RESIDENT (512 / BLOCK)
#endif

/// A block meets tiles [range blockIdx.y, range (blockIdx.y + 1)) after its own, tile `begin` + blockIdx.x.
extern "C" __global__ void __launch_bounds__(BLOCK, RESIDENT)
    forces(char* scratch, word* marks, total_t* totals, index_t n, index_t begin, index_t range) {
  after_previous();
  __shared__ __align__(16) word tiles[2][STAGED * (DISTANCE_WORDS + SUM_WORDS)];
  __shared__ __align__(16) float4 part[WARPS][STAGED];
  const index_t size = padded(n);
  const index_t count = size / STAGED;
  const index_t tile = begin + blockIdx.x;
  // Of an even number, tiles opposite each other meet once, not twice.
  const index_t all = count % 2 == 1 ? (count + 1) / 2 : count / 2 + (tile < count / 2);
  const index_t from = blockIdx.y * range;
  const index_t to = from + range < all ? from + range : all;
  if (from >= to) return;
  const index_t warp = threadIdx.x / 32;
  const index_t lane = threadIdx.x % 32;
  const index_t target = tile * STAGED + warp * TARGETS;
  const index_t words = (n + 32 * GROUP - 1) / (32 * GROUP);
  const float unit = unit_of_totals(n);
  Row rows[ROW_TILES];
  float total[ROW_TILES][4] = {};
#pragma unroll
  for (int r = 0; r < ROW_TILES; ++r) rows[r] = load_row(scratch, n, target + 16 * r, lane);
  const word* distances = distances_of(scratch, n);
  const word* sums = sums_of(scratch, n);
  stage(tiles[0], distances, sums, (tile + from) % count * STAGED);
  for (index_t k = from; k < to;) {
    const index_t rest = to - k;
    const index_t end = k + (rest < TILES_OF_A_SUM ? rest : TILES_OF_A_SUM);
    for (; k < end; ++k) {
      const word* staged = tiles[(k - from) % 2];
      const index_t source = (tile + k) % count * STAGED;
      wait_for_copies();
      __syncthreads();
      if (k + 1 < to) stage(tiles[(k + 1 - from) % 2], distances, sums, (tile + k + 1) % count * STAGED);
#pragma unroll 1
      for (index_t group = 0; group < STAGED; group += GROUP) {
        float sum[ROW_TILES][4] = {};
#pragma unroll
        for (index_t c = group; c < group + GROUP; c += 16) {
          const float2 back =
              add_sources(sum, rows, ((const uint4*)(staged + c * DISTANCE_WORDS))[lane],
                          ((const uint2*)(staged + STAGED * DISTANCE_WORDS + c * SUM_WORDS))[lane], lane);
          ((float2*)&part[warp][c + whole_row(lane)])[whole_column(lane) / 2] = back;
        }
        take_group(total, sum, marks, target / 16, words, (source + group) / GROUP, lane);
      }
      __syncthreads();
      // A tile that meets itself has both sums of a pair among its targets'.
      if (k > 0) take_sources(part, totals, marks, source, tile * STAGED, size, words, unit);
    }
    take_targets(total, totals, size, target, lane, unit);
  }
}

/// A warp for 16 targets, from `begin` on: turns the sums into accelerations, and adds the groups with close
/// pairs.
extern "C" __global__ void __launch_bounds__(finishing_threads)
    finish(CONSTANTS_PARAMETER BODIES_PARAMETER(bodies), char* scratch, const word* marks,
           const total_t* totals, real* acceleration, index_t first, index_t last, index_t begin,
           index_t end) {
  after_previous();
  BODIES(bodies);
  const index_t lane = threadIdx.x % 32;
  const index_t row = begin / 16 + (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const index_t n = last - first;
  const index_t size = padded(n);
  const index_t body = 16 * row + lane % 16;
  const bool there = body < end;
  if (16ull * row >= end) return;
  const Target here = there ? load_target(bodies, first + body) : no_target();
  real3 sum = make_real3(0, 0, 0);
  if (there && lane < 16) {
    const Frame frame = *frame_of(scratch);
    const float f = factors_of(scratch, n)[body];
    const double unit = 1.0 / unit_of_totals(n);
    const float3 x = in_frame(frame, here);
    const double mass = (double)(long long)totals[3ull * size + body] * unit;
    const double factor = (double)frame.scale / frame.mass_scale * (f * sqrtf(f)) * frame.scale;
    sum.x = factor * ((double)(long long)totals[body] * unit - mass * x.x);
    sum.y = factor * ((double)(long long)totals[size + body] * unit - mass * x.y);
    sum.z = factor * ((double)(long long)totals[2ull * size + body] * unit - mass * x.z);
  }
  add_marked(sum, here, bodies, marks, row, first, last, CONSTANTS);
  add_other_half(sum);
  if (lane < 16 && there) store_acceleration(acceleration, first + body, sum, strength(CONSTANTS));
}
