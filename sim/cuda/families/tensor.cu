// Gravity on tensor cores: tensor-sum and tensor (tensor_common.cuh). A warp has ROW_TILES times 16 targets;
// blockIdx.y is a range of sources.
#if TENSOR_DISTANCES
/// A thread's part of the rows of 16 targets.
struct Row {
  word a[4];
};
__device__ __forceinline__ Row load_row(char* scratch, index_t n, index_t target, index_t lane) {
  const index_t top = target + lane / 4 < n ? target + lane / 4 : n - 1;
  const index_t bottom = target + lane / 4 + 8 < n ? target + lane / 4 + 8 : n - 1;
  const uint2 a = rows_of(scratch, n)[4ull * top + lane % 4];
  const uint2 b = rows_of(scratch, n)[4ull * bottom + lane % 4];
  return {{a.x, b.x, a.y, b.y}};
}

/// Adds sources [k, k + GROUP) of the staged tile to the accumulators.
__device__ __forceinline__ void add_group(float (&sum)[ROW_TILES][4], const Row (&row)[ROW_TILES],
                                          const word* distances, const word* sums, index_t k, index_t lane,
                                          const Constants&) {
  const float zero[4] = {0, 0, 0, 0};
#pragma unroll
  for (index_t c = 0; c < GROUP; c += 16) {
    const uint4 b = ((const uint4*)(distances + (k + c) * DISTANCE_WORDS))[lane];
    const uint2 s = ((const uint2*)(sums + (k + c) * SUM_WORDS))[lane];
#pragma unroll
    for (int r = 0; r < ROW_TILES; ++r) {
      float left[4], right[4];
      product_of_halves(left, row[r].a, b.x, b.y, zero);
      product_of_halves(right, row[r].a, b.z, b.w, zero);
      word high[4], low[4];
      weights_of(high, low, left, right);
      product_of_halves(sum[r], high, s.x, s.y, sum[r]);
#if SPLIT_WEIGHTS
      product_of_halves(sum[r], low, s.x, s.y, sum[r]);
#endif
    }
  }
}
#else
__device__ __forceinline__ void product_of_tf32(float (&d)[4], const float (&a)[4], float b0, float b1) {
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%0,%1,%2,%3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(__float_as_int(a[0])), "r"(__float_as_int(a[1])), "r"(__float_as_int(a[2])),
        "r"(__float_as_int(a[3])), "r"(__float_as_int(b0)), "r"(__float_as_int(b1)));
}

struct Row {
  float3 top, bottom;
};
__device__ __forceinline__ Row load_row(char* scratch, index_t n, index_t target, index_t lane) {
  const index_t top = target + lane / 4 < n ? target + lane / 4 : n - 1;
  const index_t bottom = target + lane / 4 + 8 < n ? target + lane / 4 + 8 : n - 1;
  const float4* x = (const float4*)distances_of(scratch, n);
  return {make_float3(x[top].x, x[top].y, x[top].z), make_float3(x[bottom].x, x[bottom].y, x[bottom].z)};
}
/// `constants` has the softening in the frame.
__device__ __forceinline__ float weight_of(const float3& here, const float4& there,
                                           const Constants& constants) {
  const float dx = there.x - here.x, dy = there.y - here.y, dz = there.z - here.z;
  const float d2 = dx * dx + (dy * dy + (dz * dz + constants.softening_squared));
  return weight_by_root(d2);
}
__device__ __forceinline__ void add_group(float (&sum)[ROW_TILES][4], const Row (&row)[ROW_TILES],
                                          const word* distances, const word* sums, index_t k, index_t lane,
                                          const Constants& constants) {
#pragma unroll 4
  for (index_t c = 0; c < GROUP; c += 8) {
    const float4* x = (const float4*)(distances + (k + c) * DISTANCE_WORDS) + lane % 4;
    const float4 left = x[0], right = x[4];
    const float2 s = ((const float2*)(sums + (k + c) * SUM_WORDS))[lane];
#pragma unroll
    for (int r = 0; r < ROW_TILES; ++r) {
      const float w[4] = {weight_of(row[r].top, left, constants), weight_of(row[r].bottom, left, constants),
                          weight_of(row[r].top, right, constants),
                          weight_of(row[r].bottom, right, constants)};
      product_of_tf32(sum[r], w, s.x, s.y);
    }
  }
}
#endif

/// Writes the sums of 16 targets: columns x y z m, from the frame back to the units of the bodies.
__device__ __forceinline__ void write_rows(const float (&total)[4], char* scratch, const Frame& frame,
                                           real* partial, const Bodies& bodies, index_t first, index_t n,
                                           index_t target, index_t begin, index_t end, index_t lane) {
  float whole[4];  // high and low parts together
#pragma unroll
  for (int q = 0; q < 4; ++q) whole[q] = total[q] + __shfl_xor_sync(~0u, total[q], 2);
  const unsigned long long targets = end - begin;
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    const float mass = __shfl_sync(~0u, whole[2 * half + 1], lane | 1);
    const index_t row = target + lane / 4 + 8 * half;
    if (lane % 4 > 1 || first + row >= end) continue;
    const float3 x = in_frame(frame, load_position(bodies, first + row));
#if TENSOR_DISTANCES
    const float f = factors_of(scratch, n)[row];
    const float factor = frame.scale / frame.mass_scale * (f * sqrtf(f));
#else
    // TF32 cuts the weights off: 2^-11 x 0.72 on average over logarithmically uniform mantissas.
    const float factor = 1.000352f * frame.scale / frame.mass_scale;
#endif
    real* at = partial + 3 * targets * blockIdx.y + (first + row - begin);
    if (lane % 4 == 0) {
      at[0] = factor * (whole[2 * half] - mass * x.x) * frame.scale;
      at[targets] = factor * (whole[2 * half + 1] - mass * x.y) * frame.scale;
    } else {
      at[2 * targets] = factor * (whole[2 * half] - mass * x.z) * frame.scale;
    }
  }
}

#if MAX_REGISTERS > 0
#define RESIDENT 1
#elif ROW_TILES <= 2
#define RESIDENT (768 / BLOCK)
#elif ROW_TILES == 3
#define RESIDENT (640 / BLOCK)
#else
#define RESIDENT (512 / BLOCK)
#endif

/// `range`: sources of a row of blocks, a multiple of STAGED.
extern "C" __global__ void __launch_bounds__(BLOCK, RESIDENT > 0 ? RESIDENT : 1)
    forces(CONSTANTS_PARAMETER BODIES_PARAMETER(bodies), char* scratch, word* marks, real* partial,
           index_t first, index_t last, index_t begin, index_t end, index_t range) {
  after_previous();
  __shared__ __align__(16) word tiles[2][STAGED * (DISTANCE_WORDS + SUM_WORDS)];
  const index_t n = last - first;
  const index_t lane = threadIdx.x % 32;
  const index_t row = (blockIdx.x * WARPS + threadIdx.x / 32) * ROW_TILES;  // in sixteens
  const index_t target = begin - first + 16 * row;
  const index_t words = (n + 32 * GROUP - 1) / (32 * GROUP);
  Constants constants = CONSTANTS;
#if !TENSOR_DISTANCES
  constants.softening_squared *= frame_of(scratch)->scale * frame_of(scratch)->scale;
#endif
  Row rows[ROW_TILES];
  float total[ROW_TILES][4] = {};
#pragma unroll
  for (int r = 0; r < ROW_TILES; ++r) rows[r] = load_row(scratch, n, target + 16 * r, lane);
  const index_t from = blockIdx.y * range;
  const index_t to = padded(n) - from < range ? padded(n) : from + range;
  const word* distances = distances_of(scratch, n);
  const word* sums = sums_of(scratch, n);
  stage(tiles[0], distances, sums, from);
  for (index_t base = from; base < to; base += STAGED) {
    const word* tile = tiles[(base - from) / STAGED % 2];
    wait_for_copies();
    __syncthreads();
    if (base + STAGED < to) stage(tiles[((base - from) / STAGED + 1) % 2], distances, sums, base + STAGED);
#pragma unroll 1
    for (index_t k = 0; k < STAGED; k += GROUP) {
      float sum[ROW_TILES][4] = {};
      add_group(sum, rows, tile, tile + STAGED * DISTANCE_WORDS, k, lane, constants);
      take_group(total, sum, marks, row, words, (base + k) / GROUP, lane);
    }
  }
  BODIES(bodies);
  const Frame frame = *frame_of(scratch);
#pragma unroll
  for (int r = 0; r < ROW_TILES; ++r)
    write_rows(total[r], scratch, frame, partial, bodies, first, n, target + 16 * r, begin, end, lane);
}

/// A warp for 16 targets: adds the partial sums in order, and the groups with close pairs.
extern "C" __global__ void __launch_bounds__(finishing_threads)
    finish(CONSTANTS_PARAMETER BODIES_PARAMETER(bodies), const word* marks, const real* partial,
           real* acceleration, index_t rows, index_t first, index_t last, index_t begin, index_t end) {
  after_previous();
  BODIES(bodies);
  const index_t lane = threadIdx.x % 32;
  const index_t half = lane / 16;
  const index_t row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const index_t i = begin + 16 * row + lane % 16;
  const unsigned long long targets = end - begin;
  real3 sum = make_real3(0, 0, 0);
  if (16ull * row >= targets) return;
  if (i < end) {
#pragma unroll 4
    for (index_t k = half; k < rows; k += 2) {
      const real* p = partial + 3 * targets * k + (i - begin);
      sum.x += p[0];
      sum.y += p[targets];
      sum.z += p[2 * targets];
    }
  }
  const Target here = i < end ? load_target(bodies, i) : no_target();
  add_marked(sum, here, bodies, marks, row, first, last, CONSTANTS);
  add_other_half(sum);
  if (half == 0 && i < end) store_acceleration(acceleration, i, sum, strength(CONSTANTS));
}
