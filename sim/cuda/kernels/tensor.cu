// Gravity on tensor cores (docs/kernels.md): with w_ij = (r_ij^2 + eps^2)^(-3/2)
//   a_i = sum_j w_ij m_j x_j - x_i sum_j w_ij m_j
// is a product of the matrix of weights with the rows (m x, m y, m z, m), high and low parts side by side: 8
// columns. Family tensor (TENSOR_DISTANCES): r^2 is a product too, of 16 half-precision numbers a body:
//   -2 f x_i . x_j (high*high, high*low, low*high on 3 axes)   f * |x_j|^2 in three parts   f (|x_i|^2 +
//   eps^2) in three parts
// with coordinates shifted to the galaxy's centre and scaled by a power of two; f, a power of two for each
// target, keeps the weights within half precision. A pair so close that its weight overflows (where r^2 is
// also inaccurate) spoils a product of 16 targets and 64 sources: that is dropped, marked, and computed in
// FP32 by `finish`. Family tensor-sum: r^2 by subtraction in FP32, only the sum is a product, in TF32. A warp
// has ROW_TILES times 16 targets; blockIdx.y is a range of sources. Fragments: PTX ISA, mma.m16n8k16 and
// .m16n8k8.
#if __CUDA_ARCH__ < 800
#error "the families tensor and tensor-sum need tensor cores of compute capability 8.0 or later"
#endif

#define WARPS (BLOCK / 32)
#define STAGED 256  // sources in shared memory at a time; the packed arrays are padded to this
#define GROUP 64    // sources between two checks and additions of the accumulators
#define EXTENT_BLOCKS 64
#define MOST 3e38f  // sums of products are below it, unless a weight overflowed
typedef unsigned int word;

/// Box, sums and largest mass of some bodies, relative to the galaxy's first.
struct Extent {
  float low[3], high[3], sum[3], squares, mass;
};
/// Packed coordinates are (x - center) * scale, masses m * mass_scale. `nearest`: least distance from the
/// centre that a row's factor f is taken from.
struct Frame {
  float center[3], scale, mass_scale, nearest;
};

// Scratch memory, for n sources padded to a multiple of STAGED: frame, extents, rows, distances, sums,
// factors (sim/cuda/launch_tensor.cpp reserves it).
#define HEAD 8192
__device__ __forceinline__ index_t padded(index_t n) { return (n + STAGED - 1) / STAGED * STAGED; }
__device__ __forceinline__ Frame* frame_of(char* scratch) { return (Frame*)scratch; }
__device__ __forceinline__ Extent* extents_of(char* scratch) { return (Extent*)(scratch + 1024); }
__device__ __forceinline__ uint2* rows_of(char* scratch, index_t) { return (uint2*)(scratch + HEAD); }
__device__ __forceinline__ char* after_rows(char* scratch, index_t n) {
  return scratch + HEAD + 32ull * padded(n);
}
__device__ __forceinline__ word* distances_of(char* scratch, index_t n) {
  return (word*)after_rows(scratch, n);
}
__device__ __forceinline__ word* sums_of(char* scratch, index_t n) {
  return (word*)(after_rows(scratch, n) + 32ull * padded(n));
}
__device__ __forceinline__ float* factors_of(char* scratch, index_t n) {
  return (float*)(after_rows(scratch, n) + 64ull * padded(n));
}

// ---- numbers ----
/// The power of two below a positive number.
__device__ __forceinline__ float power_below(float x) {
  return __int_as_float(__float_as_int(x) & 0x7f800000);
}
__device__ __forceinline__ word pack_halves(float low, float high) {
  word packed;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(packed) : "f"(high), "f"(low));
  return packed;
}
__device__ __forceinline__ float to_half(float x) {
  float rounded;
  asm("{.reg .f16 h; cvt.rn.f16.f32 h, %1; cvt.f32.f16 %0, h;}" : "=f"(rounded) : "f"(x));
  return rounded;
}
__device__ __forceinline__ float to_tf32(float x) {
  word rounded;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(rounded) : "f"(x));
  return __int_as_float(rounded);
}
__device__ __forceinline__ float reciprocal_root(float x) {
  float y;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
__device__ __forceinline__ float weight_by_root(float d2) {
  const float y = reciprocal_root(d2);
  return y * y * y;
}
/// The same without the special-function unit: a first guess from the exponent, e = d2 y^2 within 0.898
/// and 1.022, and the quadratic with the least squared error for e^(-3/2) there (root mean square 9.2e-5,
/// mean 0).
__device__ __forceinline__ float weight_by_polynomial(float d2) {
  const float y = __int_as_float(0x5f330000 - (__float_as_int(d2) >> 1));
  const float y2 = y * y;
  const float e = d2 * y2;
  return y2 * y * (e * (e * 2.14240226f - 5.78183303f) + 4.63934818f);
}

// ---- preparation ----
struct Least {
  __device__ float operator()(float a, float b) const { return fminf(a, b); }
};
struct Most {
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};
struct Plus {
  __device__ float operator()(float a, float b) const { return a + b; }
};
template <typename Operation>
__device__ __forceinline__ float over_warp(float value, Operation operation) {
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2)
    value = operation(value, __shfl_xor_sync(~0u, value, distance));
  return value;
}
__device__ __forceinline__ Extent no_extent() {
  Extent e;
#pragma unroll
  for (int axis = 0; axis < 3; ++axis) e.low[axis] = 1e30f, e.high[axis] = -1e30f, e.sum[axis] = 0;
  e.squares = e.mass = 0;
  return e;
}
__device__ __forceinline__ Extent join_warp(Extent e) {
#pragma unroll
  for (int axis = 0; axis < 3; ++axis) {
    e.low[axis] = over_warp(e.low[axis], Least());
    e.high[axis] = over_warp(e.high[axis], Most());
    e.sum[axis] = over_warp(e.sum[axis], Plus());
  }
  e.squares = over_warp(e.squares, Plus());
  e.mass = over_warp(e.mass, Most());
  return e;
}
__device__ __forceinline__ Extent join(Extent a, const Extent& b) {
#pragma unroll
  for (int axis = 0; axis < 3; ++axis) {
    a.low[axis] = fminf(a.low[axis], b.low[axis]);
    a.high[axis] = fmaxf(a.high[axis], b.high[axis]);
    a.sum[axis] += b.sum[axis];
  }
  a.squares += b.squares;
  a.mass = fmaxf(a.mass, b.mass);
  return a;
}

/// EXTENT_BLOCKS blocks of 256: the extents of every EXTENT_BLOCKS-th 256 sources.
extern "C" __global__ void __launch_bounds__(256)
    measure(BODIES_PARAMETER(bodies), char* scratch, index_t first, index_t last) {
  BODIES(bodies);
  __shared__ Extent part[8];
  const real4 origin = load_position(bodies, first);
  Extent e = no_extent();
  for (index_t j = first + blockIdx.x * 256 + threadIdx.x; j < last; j += 256 * EXTENT_BLOCKS) {
    const real4 p = load_position(bodies, j);
    const float d[3] = {p.x - origin.x, p.y - origin.y, p.z - origin.z};
    Extent one;
#pragma unroll
    for (int axis = 0; axis < 3; ++axis) one.low[axis] = one.high[axis] = one.sum[axis] = d[axis];
    one.squares = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    one.mass = p.w;
    e = join(e, one);
  }
  e = join_warp(e);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = e;
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (int warp = 1; warp < 8; ++warp) e = join(e, part[warp]);
  extents_of(scratch)[blockIdx.x] = e;
}

/// Every warp that asks gets the same frame.
__device__ __forceinline__ Frame find_frame(const Bodies& bodies, char* scratch, index_t first,
                                            index_t last) {
  const Extent* all = extents_of(scratch);
  const index_t lane = threadIdx.x % 32;
  const Extent e = join_warp(join(all[lane], all[lane + 32]));
  const real4 origin = load_position(bodies, first);
  const float from[3] = {(float)origin.x, (float)origin.y, (float)origin.z};
  const float share = 1.0f / (last - first);
  Frame frame;
  float reach2 = 0, middle2 = 0;
#pragma unroll
  for (int axis = 0; axis < 3; ++axis) {
    const float middle = e.sum[axis] * share;
    const float reach = fmaxf(middle - e.low[axis], e.high[axis] - middle);
    frame.center[axis] = from[axis] + middle;
    reach2 += reach * reach;
    middle2 += middle * middle;
  }
  const float spread = sqrtf(fmaxf(e.squares * share - middle2, 0.0f));
  const float extent = fminf(fmaxf(sqrtf(reach2), 1e-18f), 1e18f);
  const float mass = fminf(fmaxf(e.mass, 1e-30f), 1e30f);
#if TENSOR_DISTANCES
  // The farthest body comes to lie between 64 and 128: squares below 2^14, and 2^-24 is the least half.
  frame.scale = 64.0f / power_below(extent);
  frame.mass_scale = 64.0f / power_below(mass);
  frame.nearest = power_below(fmaxf(0.75f * spread * frame.scale, 0.25f));
#else
  // So small that weights overflow for pairs closer than about 1/128 of the spread, which are then left to
  // `finish`: their m x_j and m x_i would hardly differ. Masses keep such a weight's products finite.
  frame.scale = 0x1p-36f / power_below(fmaxf(spread, 1e-9f * extent));
  frame.mass_scale = 0x1p-16f / power_below(mass);
  frame.nearest = 0;
#endif
  return frame;
}

/// A position in the frame.
__device__ __forceinline__ float3 in_frame(const Frame& frame, const real4& p) {
  return make_float3((p.x - frame.center[0]) * frame.scale, (p.y - frame.center[1]) * frame.scale,
                     (p.z - frame.center[2]) * frame.scale);
}

/// Writes the columns of source j: m x, m y, m z, m, high parts then low parts.
__device__ __forceinline__ void pack_sums(word* sums, index_t j, const float3& x, float mass) {
  const float column[4] = {mass * x.x, mass * x.y, mass * x.z, mass};
#if TENSOR_DISTANCES
  // Two sources a word, [16 sources][column][4 pairs][2 halves of the 16].
  const index_t place = j % 16;
  unsigned short* at =
      (unsigned short*)(sums + j / 16 * 64ull) + (place % 8 / 2 * 2 + place / 8) * 2 + place % 2;
#pragma unroll
  for (int c = 0; c < 4; ++c) {
    const float high = to_half(column[c]);
    const word both = pack_halves(high, column[c] - high);
    at[c * 16] = (unsigned short)both;
    at[(c + 4) * 16] = (unsigned short)(both >> 16);
  }
#else
  // [8 sources][column][4 sources][2 halves of the 8].
  const index_t place = j % 8;
  float* at = (float*)sums + j / 8 * 64ull + place % 4 * 2 + place / 4;
#pragma unroll
  for (int c = 0; c < 4; ++c) {
    const float high = to_tf32(column[c]);
    at[c * 8] = high;
    at[(c + 4) * 8] = to_tf32(column[c] - high);
  }
#endif
}

#if TENSOR_DISTANCES
/// A number as three halves.
__device__ __forceinline__ void split3(float x, float rest, float* part) {
  part[0] = to_half(x);
  part[1] = to_half(x - part[0]);
  part[2] = to_half(x - part[0] - part[1] + rest);
}

/// Writes both sides of the product that is r^2, and the factor of the row.
__device__ __forceinline__ void pack_distances(char* scratch, index_t n, index_t j, const float3& x,
                                               float eps2, float nearest) {
  const float h[3] = {to_half(x.x), to_half(x.y), to_half(x.z)};
  const float l[3] = {to_half(x.x - h[0]), to_half(x.y - h[1]), to_half(x.z - h[2])};
  // |x|^2 of what the parts represent, with the rounding errors of its squares and sums.
  float square = 0, rest = 0;
#pragma unroll
  for (int axis = 0; axis < 3; ++axis) {
    const float c = h[axis] + l[axis];
    const float next = fmaf(c, c, square);
    rest += fmaf(c, c, square - next);
    square = next;
  }
  const float f = 1 / fmaxf(2 * power_below(sqrtf(square)), nearest);
  float of_source[3], of_target[3];
  split3(square, rest, of_source);
  split3((square + eps2) * f, rest * f, of_target);
  const float row[16] = {-2 * f * h[0],
                         -2 * f * h[1],
                         -2 * f * h[2],
                         -2 * f * h[0],
                         -2 * f * h[1],
                         -2 * f * h[2],
                         -2 * f * l[0],
                         -2 * f * l[1],
                         -2 * f * l[2],
                         f,
                         f,
                         f,
                         of_target[0],
                         of_target[1],
                         of_target[2],
                         0};
  const float column[16] = {h[0], h[1],         h[2],         l[0],         l[1], l[2], h[0], h[1],
                            h[2], of_source[0], of_source[1], of_source[2], 1,    1,    1,    0};
  uint2* rows = rows_of(scratch, n) + 4ull * j;
  // [16 sources][8 sources x 4 threads][2 halves of the 16][2 words]
  uint2* columns = (uint2*)distances_of(scratch, n) + j / 16 * 64ull + j % 8 * 8 + j % 16 / 8;
#pragma unroll
  for (int t = 0; t < 4; ++t) {
    rows[t] =
        make_uint2(pack_halves(row[2 * t], row[2 * t + 1]), pack_halves(row[2 * t + 8], row[2 * t + 9]));
    columns[2 * t] = make_uint2(pack_halves(column[2 * t], column[2 * t + 1]),
                                pack_halves(column[2 * t + 8], column[2 * t + 9]));
  }
  factors_of(scratch, n)[j] = f;
}
#endif

/// A thread a source (padded): packs what the products need and clears the marks of close pairs.
extern "C" __global__ void __launch_bounds__(128)
    prepare(CONSTANTS_PARAMETER BODIES_PARAMETER(bodies), char* scratch, word* marks,
            unsigned long long mark_words, index_t first, index_t last) {
  BODIES(bodies);
  const Frame frame = find_frame(bodies, scratch, first, last);
  const index_t n = last - first;
  const index_t j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j == 0) *frame_of(scratch) = frame;
  for (unsigned long long k = j; k < mark_words; k += gridDim.x * blockDim.x) marks[k] = 0;
  if (j >= padded(n)) return;
  // Past the end: far away and without mass.
  const real4 p = j < n ? load_position(bodies, first + j) : make_real4(0, 0, 0, 0);
  const float3 x = j < n ? in_frame(frame, p) : make_float3(100, 100, 100);
  pack_sums(sums_of(scratch, n), j, x, j < n ? p.w * frame.mass_scale : 0);
#if TENSOR_DISTANCES
  pack_distances(scratch, n, j, x, CONSTANTS.softening_squared * frame.scale * frame.scale, frame.nearest);
#else
  ((float4*)distances_of(scratch, n))[j] = make_float4(x.x, x.y, x.z, 0);
#endif
}

// ---- products ----
__device__ __forceinline__ void copy16(void* shared, const void* global) {
  const word address = (word)__cvta_generic_to_shared(shared);
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address), "l"(global) : "memory");
}
/// Waits for the copies that this thread has begun.
__device__ __forceinline__ void wait_for_copies() { asm volatile("cp.async.wait_all;" ::: "memory"); }

#if TENSOR_DISTANCES
#define DISTANCE_WORDS 8  // of a source in shared memory
#define SUM_WORDS 4
__device__ __forceinline__ void product_of_halves(float (&d)[4], const word (&a)[4], word b0, word b1,
                                                  const float (&c)[4]) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%10,%11,%12,%13};"
      : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1), "f"(c[0]), "f"(c[1]), "f"(c[2]),
        "f"(c[3]));
}

/// What a thread keeps of 16 targets: its part of the rows.
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
      float w[8];
#pragma unroll
      for (int q = 0; q < 8; ++q) {
        const float d2 = q < 4 ? left[q] : right[q - 4];
        w[q] = q < 8 - POLYNOMIAL ? weight_by_root(d2) : weight_by_polynomial(d2);
      }
      const word a[4] = {pack_halves(w[0], w[1]), pack_halves(w[2], w[3]), pack_halves(w[4], w[5]),
                         pack_halves(w[6], w[7])};
      product_of_halves(sum[r], a, s.x, s.y, sum[r]);
    }
  }
}
#else
#define DISTANCE_WORDS 4
#define SUM_WORDS 8
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

/// Marks a group of sources for `finish`.
__device__ __noinline__ void mark(word* marks, index_t row, index_t words, index_t group) {
  atomicOr(marks + (unsigned long long)row * words + group / 32, 1u << group % 32);
}

/// Adds a group's accumulators to the sums, unless a close pair spoilt them.
__device__ __forceinline__ void take_group(float (&total)[ROW_TILES][4], float (&sum)[ROW_TILES][4],
                                           word* marks, index_t row, index_t words, index_t group,
                                           index_t lane) {
  float all = 0;
#pragma unroll
  for (int r = 0; r < ROW_TILES; ++r)
#pragma unroll
    for (int q = 0; q < 4; ++q) all += sum[r][q];
  if (__any_sync(~0u, !(fabsf(all) < MOST))) {
#pragma unroll
    for (int r = 0; r < ROW_TILES; ++r) {
      const bool spoilt = !(fabsf(sum[r][0]) + fabsf(sum[r][1]) + fabsf(sum[r][2]) + fabsf(sum[r][3]) < MOST);
      if (!__any_sync(~0u, spoilt)) continue;
      if (lane == 0) mark(marks, row + r, words, group);
#pragma unroll
      for (int q = 0; q < 4; ++q) sum[r][q] = 0;
    }
  }
#pragma unroll
  for (int r = 0; r < ROW_TILES; ++r)
#pragma unroll
    for (int q = 0; q < 4; ++q) total[r][q] += sum[r][q];
}

/// Begins the copy of STAGED sources to shared memory.
__device__ __forceinline__ void stage(word* tile, const word* distances, const word* sums, index_t source) {
  const uint4* d = (const uint4*)(distances + (unsigned long long)source * DISTANCE_WORDS);
  const uint4* s = (const uint4*)(sums + (unsigned long long)source * SUM_WORDS);
  uint4* to = (uint4*)tile;
#pragma unroll
  for (index_t k = threadIdx.x; k < STAGED * DISTANCE_WORDS / 4; k += BLOCK) copy16(to + k, d + k);
#pragma unroll
  for (index_t k = threadIdx.x; k < STAGED * SUM_WORDS / 4; k += BLOCK)
    copy16(to + STAGED * DISTANCE_WORDS / 4 + k, s + k);
}

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

/// Adds one marked group of sources to the target `here`: half a warp each half of the group, in FP32.
__device__ __forceinline__ void add_close(real3& sum, const Target& here, const Bodies& bodies,
                                          index_t source, index_t last, const Constants& constants) {
#pragma unroll 4
  for (index_t j = source; j < source + GROUP / 2; ++j) {
    if (j < last) interact(sum, here, load_source(bodies, j), constants);
  }
}

/// A warp for 16 targets: adds the partial sums in order, and the groups with close pairs.
extern "C" __global__ void __launch_bounds__(128)
    finish(CONSTANTS_PARAMETER BODIES_PARAMETER(bodies), const word* marks, const real* partial,
           real* acceleration, index_t rows, index_t first, index_t last, index_t begin, index_t end) {
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
  const index_t words = (last - first + 32 * GROUP - 1) / (32 * GROUP);
  for (index_t base = 0; base < words; base += 32) {
    const word mine = base + lane < words ? marks[(unsigned long long)row * words + base + lane] : 0;
    for (word left = __ballot_sync(~0u, mine != 0); left != 0; left &= left - 1) {
      const index_t from = __ffs(left) - 1;
      for (word bits = __shfl_sync(~0u, mine, from); bits != 0; bits &= bits - 1) {
        const index_t group = (base + from) * 32 + __ffs(bits) - 1;
        add_close(sum, here, bodies, first + group * GROUP + half * (GROUP / 2), last, CONSTANTS);
      }
    }
  }
  sum.x += __shfl_down_sync(~0u, sum.x, 16);
  sum.y += __shfl_down_sync(~0u, sum.y, 16);
  sum.z += __shfl_down_sync(~0u, sum.z, 16);
  if (half == 0 && i < end) store_acceleration(acceleration, i, sum, strength(CONSTANTS));
}
