// What the families on tensor cores share (docs/kernels.md): the frame, the packed numbers, close pairs. With
// w_ij = (r_ij^2 + eps^2)^(-3/2)
//   a_i = sum_j w_ij m_j x_j - x_i sum_j w_ij m_j
// is a product of the matrix of weights with the rows (m x, m y, m z, m), high and low parts side by side: 8
// columns. In tensor-sum r^2 is computed by subtraction in FP32, and only the sum is a product, in TF32.
//
// In tensor and tensor-pairs (TENSOR_DISTANCES) r^2 is a product too, of 16 half-precision numbers a body.
// With coordinates y = f x, shifted to the galaxy's centre and scaled:
//   -2 y_i . y_j (high*high, high*low, low*high on 3 axes)   f_i * (f_j |x_j|^2 in three parts)
//   (f_i (|x_i|^2 + eps^2) in three parts) * f_j
// is f_i f_j (r^2 + eps^2). The factor f of a body keeps its weights within half precision; f^(3/2) goes into
// its mass and, at the end, into its acceleration. Its mantissa goes through 128 values from body to body:
// equal distances are then rounded to half precision at different places, and the errors cancel.
//
// A pair so close that its weight overflows (where r^2 is also inaccurate) spoils a product of 16 targets and
// 64 sources: that is dropped, marked, and computed in FP32 by `finish`. A dominant body's group goes that
// way for all targets: its own term, m w_ii (x_i - x_i), leaves a rounding error above the pull of all
// others. Fragments: PTX ISA, mma.m16n8k16, .m16n8k8.
#if __CUDA_ARCH__ < 800
#error "the families tensor-sum, tensor and tensor-pairs need tensor cores of compute capability 8.0 or later"
#endif

#define WARPS (BLOCK / 32)
#define STAGED staged_sources
#define GROUP group_sources
// Sums of a group are below it, unless a weight overflowed.
#if PAIR_SUMS
#define MOST 0x1p33f
#else
#define MOST 3e38f
#endif

/// Bodies rounded up to whole tiles.
__device__ __forceinline__ index_t padded(index_t n) { return (n + STAGED - 1) / STAGED * STAGED; }
/// The frame that `prepare` found.
__device__ __forceinline__ Frame* frame_of(char* scratch) { return (Frame*)scratch; }
/// The extents that `measure` found.
__device__ __forceinline__ Extent* extents_of(char* scratch) { return (Extent*)(scratch + extents_at); }
/// Left sides of the products of distances, 4 x 8 bytes a body.
__device__ __forceinline__ uint2* rows_of(char* scratch, index_t) { return (uint2*)(scratch + head_bytes); }
/// Where the arrays after them begin.
__device__ __forceinline__ char* after_rows(char* scratch, index_t n) {
  return scratch + head_bytes + row_bytes * padded(n);
}
/// Right sides of the products of distances, 8 words a body (tensor-sum: positions, 4 words).
__device__ __forceinline__ word* distances_of(char* scratch, index_t n) {
  return (word*)after_rows(scratch, n);
}
/// Columns of the sums, 4 words a body (tensor-sum: 8).
__device__ __forceinline__ word* sums_of(char* scratch, index_t n) {
  return (word*)(after_rows(scratch, n) + distance_bytes * padded(n));
}
/// The factor f of each body.
__device__ __forceinline__ float* factors_of(char* scratch, index_t n) {
  return (float*)(after_rows(scratch, n) + (distance_bytes + sum_bytes) * padded(n));
}

#if PAIR_SUMS
typedef unsigned long long total_t;
#define TOTALS_PARAMETER total_t *totals,
#else
#define TOTALS_PARAMETER
#endif

// ---- numbers ----
/// The power of two below a positive number.
__device__ __forceinline__ float power_below(float x) {
  return __int_as_float(__float_as_int(x) & 0x7f800000);
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

// ---- preparation ----
/// The operation of over_warp on two numbers.
struct Least {
  __device__ float operator()(float a, float b) const { return fminf(a, b); }
};
/// The same.
struct Most {
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};
/// The same.
struct Plus {
  __device__ float operator()(float a, float b) const { return a + b; }
};
/// A number of all lanes, joined: every lane gets the same.
template <typename Operation>
__device__ __forceinline__ float over_warp(float value, Operation operation) {
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2)
    value = operation(value, __shfl_xor_sync(~0u, value, distance));
  return value;
}
/// The two largest masses of two sets of bodies.
__device__ __forceinline__ void join_masses(Extent& a, float mass, float second_mass) {
  a.second_mass = fmaxf(fminf(a.mass, mass), fmaxf(a.second_mass, second_mass));
  a.mass = fmaxf(a.mass, mass);
}
/// Of no bodies.
__device__ __forceinline__ Extent no_extent() {
  Extent e;
#pragma unroll
  for (int axis = 0; axis < 3; ++axis) e.low[axis] = 1e30f, e.high[axis] = -1e30f, e.sum[axis] = 0;
  e.squares = e.mass = e.second_mass = e.total_mass = 0;
  return e;
}
/// Of the bodies of all lanes.
__device__ __forceinline__ Extent join_warp(Extent e) {
#pragma unroll
  for (int axis = 0; axis < 3; ++axis) {
    e.low[axis] = over_warp(e.low[axis], Least());
    e.high[axis] = over_warp(e.high[axis], Most());
    e.sum[axis] = over_warp(e.sum[axis], Plus());
  }
  e.squares = over_warp(e.squares, Plus());
  e.total_mass = over_warp(e.total_mass, Plus());
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2)
    join_masses(e, __shfl_xor_sync(~0u, e.mass, distance), __shfl_xor_sync(~0u, e.second_mass, distance));
  return e;
}
/// Of the bodies of both.
__device__ __forceinline__ Extent join(Extent a, const Extent& b) {
#pragma unroll
  for (int axis = 0; axis < 3; ++axis) {
    a.low[axis] = fminf(a.low[axis], b.low[axis]);
    a.high[axis] = fmaxf(a.high[axis], b.high[axis]);
    a.sum[axis] += b.sum[axis];
  }
  a.squares += b.squares;
  a.total_mass += b.total_mass;
  join_masses(a, b.mass, b.second_mass);
  return a;
}

/// extent_blocks blocks: the extents of every so-manyth measuring_threads sources.
extern "C" __global__ void __launch_bounds__(measuring_threads)
    measure(BODIES_PARAMETER(bodies), char* scratch, index_t first, index_t last) {
  after_previous();
  BODIES(bodies);
  __shared__ Extent part[measuring_threads / 32];
  const real4 origin = load_position(bodies, first);
  Extent e = no_extent();
  for (index_t j = first + blockIdx.x * measuring_threads + threadIdx.x; j < last;
       j += measuring_threads * extent_blocks) {
    const real4 p = load_position(bodies, j);
    const float d[3] = {p.x - origin.x, p.y - origin.y, p.z - origin.z};
    Extent one;
#pragma unroll
    for (int axis = 0; axis < 3; ++axis) one.low[axis] = one.high[axis] = one.sum[axis] = d[axis];
    one.squares = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    one.mass = one.total_mass = p.w;
    one.second_mass = 0;
    e = join(e, one);
  }
  e = join_warp(e);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = e;
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (int warp = 1; warp < measuring_threads / 32; ++warp) e = join(e, part[warp]);
  extents_of(scratch)[blockIdx.x] = e;
}

/// Spoils every group of sources that it is in.
__device__ __forceinline__ float infinite_mass() { return __int_as_float(0x7f800000); }

/// Every warp that asks gets the same frame.
__device__ __forceinline__ Frame find_frame(const Bodies& bodies, char* scratch, index_t first, index_t last,
                                            const Constants& constants) {
  const Extent* all = extents_of(scratch);
  const index_t lane = threadIdx.x % 32;
  static_assert(extent_blocks == 64, "two for each lane");
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
  // A dominant body is no part of the products: the others' masses set the scale.
  const bool dominated = e.mass > 0.5f * e.total_mass;
  // Few bodies cost nothing in FP32, and too few rounding errors would cancel in their sums.
  constexpr index_t few = 512;
  frame.dominant = last - first <= few ? 0 : dominated ? e.mass : infinite_mass();
  const float mass = fminf(fmaxf(dominated ? e.second_mass : e.mass, 1e-30f), 1e30f);
#if TENSOR_DISTANCES
  // The farthest body comes to lie between 64 and 128: squares below 2^14, and 2^-24 is the least half.
  // A softening much larger than the galaxy sets the scale itself.
  const float softening = sqrtf(constants.softening_squared);
  frame.scale = 64.0f / power_below(fmaxf(extent, 0.25f * softening));
  frame.nearest = power_below(fmaxf(fmaxf(0.75f * spread, 0.125f * softening) * frame.scale, 0.25f));
  // The largest column, m f^(3/2) |x| or m f^(3/2), is at most 2^14: light bodies keep their digits.
  const float root = sqrtf(frame.nearest);
  const float most = fmaxf(16 / root, 8 / (frame.nearest * root));
  frame.mass_scale = 0x1p13f / (power_below(mass) * most);
#else
  // So small that weights overflow for the nearest pairs, which are then left to `finish`: their m x_j and
  // m x_i would hardly differ. Of an even sphere one body in ten has a neighbour there; 1/128 of the spread
  // is enough for any number. Masses keep such a weight's products finite.
  const float nearest = spread * fmaxf(0x1p-7f, cbrtf(share / 12));
  frame.scale = 0x1p-43f / power_below(fmaxf(nearest, 1e-9f * extent));
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
/// The factor of body j at a distance from the centre: a half-precision number. Mantissas from 2^(-1/2) to
/// 2^(1/2).
__device__ __forceinline__ float factor_of(index_t j, const float3& x, float nearest) {
  const float distance = sqrtf(x.x * x.x + x.y * x.y + x.z * x.z);
  const index_t place = j * 0x9e3779b1u >> 25;
  const float mantissa = (182 + (place * 182 >> 7)) * 0x1p-8f;
  return 2 * mantissa / fmaxf(power_below(distance), nearest);
}
/// A number as three halves.
__device__ __forceinline__ void split3(float x, float rest, float* part) {
  part[0] = to_half(x);
  part[1] = to_half(x - part[0]);
  part[2] = to_half(x - part[0] - part[1] + rest);
}

/// Writes both sides of the product that is r^2.
__device__ __forceinline__ void pack_distances(char* scratch, index_t n, index_t j, const float3& x, float f,
                                               float eps2) {
  const float y[3] = {f * x.x, f * x.y, f * x.z};
  const float h[3] = {to_half(y[0]), to_half(y[1]), to_half(y[2])};
  const float l[3] = {to_half(y[0] - h[0]), to_half(y[1] - h[1]), to_half(y[2] - h[2])};
  // |y|^2 of what the parts represent, with the rounding errors of its squares and sums.
  float square = 0, rest = 0;
#pragma unroll
  for (int axis = 0; axis < 3; ++axis) {
    const float c = h[axis] + l[axis];
    const float next = fmaf(c, c, square);
    rest += fmaf(c, c, square - next);
    square = next;
  }
  const float quotient = square / f;
  const float error = (fmaf(-quotient, f, square) + rest) / f;
  float of_source[3], of_target[3];
  split3(quotient, error, of_source);
  split3(fmaf(eps2, f, quotient), error, of_target);
  const float row[16] = {-2 * h[0],    -2 * h[1],    -2 * h[2],    -2 * h[0], -2 * h[1], -2 * h[2],
                         -2 * l[0],    -2 * l[1],    -2 * l[2],    f,         f,         f,
                         of_target[0], of_target[1], of_target[2], 0};
  const float column[16] = {h[0], h[1],         h[2],         l[0],         l[1], l[2], h[0], h[1],
                            h[2], of_source[0], of_source[1], of_source[2], f,    f,    f,    0};
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

/// A thread a source (padded): packs what the products need, and clears the marks of close pairs and the
/// totals.
extern "C" __global__ void __launch_bounds__(preparing_threads)
    prepare(CONSTANTS_PARAMETER BODIES_PARAMETER(bodies), char* scratch, word* marks,
            unsigned long long mark_words, TOTALS_PARAMETER index_t first, index_t last) {
  after_previous();
  BODIES(bodies);
  const Frame frame = find_frame(bodies, scratch, first, last, CONSTANTS);
  const index_t n = last - first;
  const index_t j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j == 0) *frame_of(scratch) = frame;
  for (unsigned long long k = j; k < mark_words; k += gridDim.x * blockDim.x) marks[k] = 0;
  if (j >= padded(n)) return;
#if PAIR_SUMS
#pragma unroll
  for (index_t column = 0; column < 4; ++column) totals[(unsigned long long)column * padded(n) + j] = 0;
#endif
  // Past the end: far away and without mass.
  const real4 p = j < n ? load_position(bodies, first + j) : make_real4(0, 0, 0, 0);
  const float3 x = j < n ? in_frame(frame, p) : make_float3(100, 100, 100);
  const float mass = j >= n || p.w < frame.dominant ? p.w * frame.mass_scale : infinite_mass();
#if TENSOR_DISTANCES
  const float f = factor_of(j, x, frame.nearest);
  pack_sums(sums_of(scratch, n), j, x, mass * (f * sqrtf(f)));
  pack_distances(scratch, n, j, x, f, CONSTANTS.softening_squared * frame.scale * frame.scale);
#else
  pack_sums(sums_of(scratch, n), j, x, mass);
  ((float4*)distances_of(scratch, n))[j] = make_float4(x.x, x.y, x.z, 0);
#endif
}

// ---- products ----
/// Begins a copy of 16 bytes to shared memory.
__device__ __forceinline__ void copy16(void* shared, const void* global) {
  const word address = (word)__cvta_generic_to_shared(shared);
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address), "l"(global) : "memory");
}
/// Waits for the copies that this thread has begun.
__device__ __forceinline__ void wait_for_copies() { asm volatile("cp.async.wait_all;" ::: "memory"); }

#if TENSOR_DISTANCES
/// The weights of 16 targets and 16 sources that a thread has, as a left side; `d2`: squared distances, those
/// to the first 8 sources and to the others.
__device__ __forceinline__ void weights_of(word (&high)[4], word (&low)[4], const float (&left)[4],
                                           const float (&right)[4]) {
#pragma unroll
  for (int q = 0; q < 4; ++q) {
    float w[2];
#pragma unroll
    for (int k = 0; k < 2; ++k) {
      const float d2 = q < 2 ? left[2 * q + k] : right[2 * q - 4 + k];
      w[k] = weight_by_root(d2);
    }
    high[q] = pack_halves(w[0], w[1]);
    low[q] = SPLIT_WEIGHTS ? pack_rest(high[q], w[0], w[1]) : 0;
  }
}

#define DISTANCE_WORDS 8  // of a source in shared memory
#define SUM_WORDS 4
#else
#define DISTANCE_WORDS 4
#define SUM_WORDS 8
#endif

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

// ---- close pairs ----
/// Marks a group of sources for `finish`.
__device__ __noinline__ void mark(word* marks, index_t row, index_t words, index_t group) {
  atomicOr(marks + (unsigned long long)row * words + group / 32, 1u << group % 32);
}

/// Adds a group's accumulators to the sums, unless a close pair spoilt them. An infinite weight shows in any
/// sum; for a limit no signs may cancel.
__device__ __forceinline__ void take_group(float (&total)[ROW_TILES][4], float (&sum)[ROW_TILES][4],
                                           word* marks, index_t row, index_t words, index_t group,
                                           index_t lane) {
  float all = 0;
#pragma unroll
  for (int r = 0; r < ROW_TILES; ++r)
#pragma unroll
    for (int q = 0; q < 4; ++q) all += PAIR_SUMS ? fabsf(sum[r][q]) : sum[r][q];
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

/// The number that another lane has.
__device__ __forceinline__ Source of_lane(const Source& mine, index_t lane) {
  return make_real4(__shfl_sync(~0u, mine.x, lane), __shfl_sync(~0u, mine.y, lane),
                    __shfl_sync(~0u, mine.z, lane), __shfl_sync(~0u, mine.w, lane));
}
/// Adds a vector.
__device__ __forceinline__ void add(real3& sum, const real3& part) {
  sum.x += part.x;
  sum.y += part.y;
  sum.z += part.z;
}
/// Adds one marked group of sources to the target `here`: half a warp each half of the group, in FP32. The
/// lanes read the sources together. The group is summed by itself first: among millions of bodies, single
/// pulls would vanish in the rounding of the whole.
__device__ __forceinline__ void add_close(real3& sum, const Target& here, const Bodies& bodies,
                                          index_t source, index_t last, const Constants& constants) {
  const index_t lane = threadIdx.x % 32;
  Source mine[2];
#pragma unroll
  for (index_t k = 0; k < 2; ++k) {
    const index_t j = source + 16 * k + lane % 16;
    mine[k] = j < last ? load_source(bodies, j) : no_source();
  }
  real3 group = make_real3(0, 0, 0);
#pragma unroll
  for (index_t k = 0; k < 2; ++k) {
#pragma unroll 4
    for (index_t other = 0; other < 16; ++other)
      interact(group, here, of_lane(mine[k], (lane & 16) + other), constants);
  }
  add(sum, group);
}

/// Adds the groups that are marked for 16 targets; half a warp each half of a group. Those of 32 words of
/// marks are added first.
__device__ __forceinline__ void add_marked(real3& sum, const Target& here, const Bodies& bodies,
                                           const word* marks, index_t row, index_t first, index_t last,
                                           const Constants& constants) {
  const index_t lane = threadIdx.x % 32;
  const index_t half = lane / 16;
  const index_t words = (last - first + 32 * GROUP - 1) / (32 * GROUP);
  for (index_t base = 0; base < words; base += 32) {
    const word mine = base + lane < words ? marks[(unsigned long long)row * words + base + lane] : 0;
    real3 part = make_real3(0, 0, 0);
    for (word left = __ballot_sync(~0u, mine != 0); left != 0; left &= left - 1) {
      const index_t from = __ffs(left) - 1;
      for (word bits = __shfl_sync(~0u, mine, from); bits != 0; bits &= bits - 1) {
        const index_t group = (base + from) * 32 + __ffs(bits) - 1;
        add_close(part, here, bodies, first + group * GROUP + half * (GROUP / 2), last, constants);
      }
    }
    add(sum, part);
  }
}

/// Adds the sum of the other half of the warp, for the lower half.
__device__ __forceinline__ void add_other_half(real3& sum) {
  sum.x += __shfl_down_sync(~0u, sum.x, 16);
  sum.y += __shfl_down_sync(~0u, sum.y, 16);
  sum.z += __shfl_down_sync(~0u, sum.z, 16);
}
