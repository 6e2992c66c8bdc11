// Bodies in the order of Hilbert's curve: keys of a grid, and a radix sort that reads them once a digit
// (Adinets and Merrill 2022, "Onesweep": tiles look back at the sums of those before them). Stable: the same
// bodies give the same order, whatever the GPU does first.
typedef unsigned long long sort_key;

/// The digit that a pass sorts by. Behind those there is room for digits of a finer grid (tree_refine.cu).
__device__ __forceinline__ unsigned digit_of(sort_key key, int pass) {
  return (unsigned)(key >> (3 * local_bits + digit_bits * pass)) & (digits - 1);
}

/// Floats as whole numbers of the same order.
__device__ __forceinline__ unsigned ordered(float x) {
  const unsigned bits = __float_as_uint(x);
  return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}
__device__ __forceinline__ float unordered(unsigned bits) {
  return __uint_as_float(bits & 0x80000000u ? bits & 0x7fffffffu : ~bits);
}

/// The value of the thread so many threads away: of its warp by a shuffle, of another one by `row`.
__device__ __forceinline__ unsigned value_at(unsigned value, unsigned step, unsigned* row) {
  if (step < 32) return __shfl_xor_sync(~0u, value, step);
  row[threadIdx.x] = value;
  __syncthreads();
  const unsigned other = row[threadIdx.x ^ step];
  __syncthreads();
  return other;
}

/// Sorts three rows of sampled_bodies values, one of each in a thread (Batcher's bitonic sort).
__device__ void sort_in_block(unsigned (&value)[3], unsigned (*rows)[sampled_bodies]) {
#pragma unroll
  for (unsigned size = 2; size <= sampled_bodies; size *= 2) {
#pragma unroll
    for (unsigned step = size / 2; step > 0; step /= 2) {
      const bool takes_less = ((threadIdx.x & step) == 0) == ((threadIdx.x & size) == 0);
      for (int k = 0; k < 3; ++k) {
        const unsigned other = value_at(value[k], step, rows[k]);
        value[k] = takes_less ? min(value[k], other) : max(value[k], other);
      }
    }
  }
  for (int k = 0; k < 3; ++k) rows[k][threadIdx.x] = value[k];
  __syncthreads();
}

// The grid of the keys. Of the spread of a sample, so that a body far outside does not make it coarse.
extern "C" __global__ void __launch_bounds__(sampled_bodies)
    tree_grid(BODIES_PARAMETER(bodies), TreeMemory t, index_t first) {
  BODIES(bodies);
  __shared__ unsigned places[3][sampled_bodies];
  constexpr unsigned left = sampled_bodies / 50, right = sampled_bodies - 1 - left;
  const real4 x =
      get_position(bodies, first + (index_t)((unsigned long long)threadIdx.x * t.bodies / sampled_bodies));
  unsigned place[3] = {ordered(x.x), ordered(x.y), ordered(x.z)};
  sort_in_block(place, places);
  if (threadIdx.x > 0) return;
  float spread = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const float low = unordered(places[axis][left]), high = unordered(places[axis][right]);
    t.counters->center[axis] = 0.5f * (low + high);
    spread = fmaxf(spread, high - low);
  }
  t.counters->spread = spread;
}

/// A turn of the curve in one word.
__device__ unsigned hilbert_turn(unsigned state, unsigned octant) {
  const CurveTurn turn = curve_turn(state, octant);
  return turn.digit | turn.next << 3;
}

/// Along one axis, of cells that are as wide as each other up to some spreads from the center. Farther out
/// they widen with the square of the distance, so that everything has a place in the grid and neighbours stay
/// neighbours. (Boxes of cells are those of their bodies: this costs no accuracy.)
__device__ __forceinline__ unsigned grid_cell(float x, float center, float scale, int bits) {
  const float from = (x - center) * scale, far = fabsf(from);
  const float place = far <= 1 ? from : copysignf(2 - 1 / far, from);
  const float cells = (float)(1u << bits);
  return min((unsigned)fmaxf((0.5f + 0.25f * place) * cells, 0.0f), (1u << bits) - 1);
}

/// hilbert_turn of all states and octants, and of two levels at once: two bits of each axis.
struct CurveTurns {
  unsigned char one[24 * 8];
  unsigned short two[24 * 64];
};
/// By all threads of a block.
__device__ void find_turns(CurveTurns& turns) {
  for (unsigned k = threadIdx.x; k < 24 * 8; k += blockDim.x) turns.one[k] = hilbert_turn(k / 8, k % 8);
  __syncthreads();
  for (unsigned k = threadIdx.x; k < 24 * 64; k += blockDim.x) {
    const unsigned upper = (k >> 1 & 1) | (k >> 2 & 2) | (k >> 3 & 4),
                   lower = (k & 1) | (k >> 1 & 2) | (k >> 2 & 4);
    const unsigned first = turns.one[k / 64 * 8 + upper], second = turns.one[(first >> 3) * 8 + lower];
    turns.two[k] = (first & 7) << 3 | (second & 7) | second >> 3 << 6;
  }
  __syncthreads();
}

/// A grid of keys.
struct CurveGrid {
  float3 center;
  float scale;
  const CurveTurns& turns;
};
__device__ __forceinline__ CurveGrid curve_grid(float3 center, float spread, const CurveTurns& turns) {
  // In the halo of a sphere they would be too long already at one.
  constexpr float even_spreads = 3;
  const float even = even_spreads * spread;
  return {center, even > 0 ? 1 / even : 0, turns};
}

/// The position on the curve of a cell of a grid of 2^bits cells a side; an even number of bits.
__device__ __forceinline__ sort_key key_of_cells(const CurveTurns& turns, unsigned x, unsigned y, unsigned z,
                                                 int bits) {
  sort_key key = 0;
  unsigned state = 0;
  for (int level = bits - 2; level >= 0; level -= 2) {
    const unsigned octants = (x >> level & 3) | (y >> level & 3) << 2 | (z >> level & 3) << 4;
    const unsigned turn = turns.two[state * 64 + octants];
    key = key << 6 | (turn & 63);
    state = turn >> 6;
  }
  return key;
}

/// The position of a body on the curve through the grid.
__device__ __forceinline__ sort_key curve_key(const CurveGrid& grid, real4 p, int key_bits) {
  return key_of_cells(grid.turns, grid_cell(p.x, grid.center.x, grid.scale, key_bits),
                      grid_cell(p.y, grid.center.y, grid.scale, key_bits),
                      grid_cell(p.z, grid.center.z, grid.scale, key_bits), key_bits);
}

/// The box around itself and another.
__device__ __forceinline__ void widen(float3& low, float3& high, float4 a, float4 b) {
  low = make_float3(fminf(low.x, a.x), fminf(low.y, a.y), fminf(low.z, a.z));
  high = make_float3(fmaxf(high.x, b.x), fmaxf(high.y, b.y), fmaxf(high.z, b.z));
}

/// A body of the state, or a guest of a domain.
__device__ __forceinline__ real4 body_at(const Bodies& bodies, const TreeMemory& t, index_t first,
                                         index_t i) {
  if (!t.guest || i < t.own) return get_position(bodies, first + i);
  const float4 guest = t.guest[i - t.own];
  return make_real4(guest.x, guest.y, guest.z, guest.w);
}

// The keys, and how many of them have each digit.
extern "C" __global__ void __launch_bounds__(key_threads)
    tree_keys(BODIES_PARAMETER(bodies), TreeMemory t, index_t first, int key_bits, int passes) {
  BODIES(bodies);
  __shared__ CurveTurns turns;
  __shared__ unsigned counts[most_passes * digits];
  for (unsigned k = threadIdx.x; k < most_passes * digits; k += key_threads) counts[k] = 0;
  find_turns(turns);
  const float3 center = make_float3(t.counters->center[0], t.counters->center[1], t.counters->center[2]);
  const CurveGrid grid = curve_grid(center, t.counters->spread, turns);
  const sort_key last = (1ull << (3 * key_bits)) - 1;
  for (index_t i = blockIdx.x * key_threads + threadIdx.x; i < t.bodies; i += gridDim.x * key_threads) {
    sort_key key = curve_key(grid, body_at(bodies, t, first, i), key_bits);
    // What others compute is behind all that is here, and left out.
    if (t.owner) key = i < t.own && t.owner[i] != t.domain ? last : min(key, last - 1);
    key <<= 3 * local_bits;
    t.key[0][i] = key;
    for (int pass = 0; pass < passes; ++pass) atomicAdd(&counts[pass * digits + digit_of(key, pass)], 1u);
  }
  __syncthreads();
  for (unsigned k = threadIdx.x; k < passes * digits; k += key_threads) {
    if (counts[k] > 0) atomicAdd(&t.counters->digit[k], counts[k]);
  }
}

/// Of the values of all lanes: every lane gets the same.
__device__ __forceinline__ float warp_least(float x) {
  for (int step = 16; step > 0; step /= 2) x = fminf(x, __shfl_xor_sync(~0u, x, step));
  return x;
}
__device__ __forceinline__ float warp_most(float x) {
  for (int step = 16; step > 0; step /= 2) x = fmaxf(x, __shfl_xor_sync(~0u, x, step));
  return x;
}
template <typename Number>
__device__ __forceinline__ Number warp_sum(Number x) {
  for (int step = 16; step > 0; step /= 2) x += __shfl_xor_sync(~0u, x, step);
  return x;
}
/// The sum of the values of the lanes before this one.
__device__ __forceinline__ unsigned sum_of_lanes_before(unsigned value) {
  const unsigned lane = threadIdx.x % 32;
  unsigned sum = value;
  for (unsigned step = 1; step < 32; step *= 2) {
    const unsigned other = __shfl_up_sync(~0u, sum, step);
    if (lane >= step) sum += other;
  }
  return sum - value;
}

/// The sum of the values of the threads before this one, in a block of whole warps.
__device__ unsigned sum_before(unsigned value, unsigned* of_warps) {
  const unsigned warp = threadIdx.x / 32;
  unsigned before = sum_of_lanes_before(value);
  if (threadIdx.x % 32 == 31) of_warps[warp] = before + value;
  __syncthreads();
  for (unsigned k = 0; k < warp; ++k) before += of_warps[k];
  __syncthreads();
  return before;
}

// What a tile tells the tiles behind it of a digit: how many it has, or how many it and all before it have.
#define STATUS_OWN 0x40000000u
#define STATUS_ALL 0x80000000u
#define STATUS_COUNT 0x3fffffffu

/// Keys of this digit in the tiles before.
__device__ unsigned look_back(unsigned* status, unsigned tile, unsigned own) {
  volatile unsigned* mine = status + tile * digits + threadIdx.x;
  if (tile > 0) *mine = own | STATUS_OWN;
  unsigned before = 0;
  for (unsigned k = tile; k-- > 0;) {
    volatile unsigned* other = status + k * digits + threadIdx.x;
    unsigned said = *other;
    while (said == 0) said = *other;
    before += said & STATUS_COUNT;
    if (said & STATUS_ALL) break;
  }
  *mine = (before + own) | STATUS_ALL;
  return before;
}

/// The lanes of the warp with this lane's digit. `masks`: of the warp, zeros before and after.
__device__ __forceinline__ unsigned lanes_with(unsigned digit, unsigned* masks, int pass) {
  // Takes the digits of a warp one after the other: fast for the first digits of keys, which are few.
  if (pass >= few_digits_pass) return __match_any_sync(~0u, digit);
  atomicOr(&masks[digit], 1u << threadIdx.x % 32);
  __syncwarp();
  const unsigned same = masks[digit];
  __syncwarp();
  masks[digit] = 0;
  return same;
}

/// Places of a warp's keys among those with the same digit; `counts` gets how many keys have each.
template <unsigned ITEMS>
__device__ __forceinline__ void rank_in_warp(const sort_key (&key)[ITEMS], unsigned (&rank)[ITEMS],
                                             unsigned short* counts, unsigned* masks, int pass) {
  const unsigned lane = threadIdx.x % 32;
#pragma unroll
  for (unsigned k = 0; k < ITEMS; ++k) {
    const unsigned digit = digit_of(key[k], pass);
    const unsigned same = lanes_with(digit, masks, pass), leader = __ffs(same) - 1;
    unsigned before = 0;
    if (lane == leader) {
      before = counts[digit];
      counts[digit] = (unsigned short)(before + __popc(same));
    }
    before = __shfl_sync(~0u, before, leader);
    rank[k] = before + __popc(same & ((1u << lane) - 1));
    __syncwarp();
  }
}

/// One pass of the sort, by blocks of so many threads. `from`: which of the two arrays is read; the first
/// pass has no order yet.
template <unsigned THREADS>
__device__ __forceinline__ void sort_tile_by(const TreeMemory& t, int pass) {
  constexpr unsigned warps = THREADS / 32, items = sort_tile / THREADS;
  static_assert(THREADS >= digits && warps * digits * sizeof(unsigned) <= sort_tile * sizeof(sort_key));
  __shared__ sort_key staged[sort_tile];
  __shared__ unsigned short counts[warps * digits];
  __shared__ unsigned start[digits], place[digits], of_warps[warps], ticket;
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, from = pass % 2;
  const bool has_digit = threadIdx.x < digits;
  unsigned* const masks = (unsigned*)staged + warp * digits;
  for (unsigned k = lane; k < digits; k += 32) masks[k] = 0, counts[warp * digits + k] = 0;
  if (threadIdx.x == 0) ticket = atomicAdd(&t.counters->ticket[pass], 1u);
  __syncthreads();
  const unsigned tile = ticket, base = tile * sort_tile;
  const unsigned valid = min(t.bodies - base, (unsigned)sort_tile);
  const unsigned mine = warp * (sort_tile / warps) + lane;
  const unsigned of_digit = has_digit ? t.counters->digit[pass * digits + threadIdx.x] : 0;
  sort_key key[items];
  unsigned rank[items];
#pragma unroll
  for (unsigned k = 0; k < items; ++k) {
    const unsigned i = mine + 32 * k;
    key[k] = i < valid ? t.key[from][base + i] : ~0ull;
  }
  rank_in_warp(key, rank, counts + warp * digits, masks, pass);
  __syncthreads();
  unsigned total = 0;
  for (unsigned w = 0; has_digit && w < warps; ++w) {
    const unsigned count = counts[w * digits + threadIdx.x];
    counts[w * digits + threadIdx.x] = (unsigned short)total;
    total += count;
  }
  const unsigned in_tile = sum_before(total, of_warps), of_less = sum_before(of_digit, of_warps);
  if (has_digit) {
    start[threadIdx.x] = in_tile;
    place[threadIdx.x] =
        of_less + look_back(t.status + (size_t)pass * gridDim.x * digits, tile, total) - in_tile;
  }
  __syncthreads();
#pragma unroll
  for (unsigned k = 0; k < items; ++k) {
    const unsigned digit = digit_of(key[k], pass);
    rank[k] += start[digit] + counts[warp * digits + digit];
    staged[rank[k]] = key[k];
  }
  __syncthreads();
  unsigned target[items];
#pragma unroll
  for (unsigned k = 0; k < items; ++k) {
    const unsigned i = threadIdx.x + k * THREADS;
    const sort_key moved = staged[i];
    target[k] = place[digit_of(moved, pass)] + i;
    if (i < valid) t.key[1 - from][target[k]] = moved;
  }
  __syncthreads();
  unsigned* order = (unsigned*)staged;
#pragma unroll
  for (unsigned k = 0; k < items; ++k) {
    const unsigned i = mine + 32 * k;
    if (i < valid) order[rank[k]] = pass == 0 ? base + i : t.order[from][base + i];
  }
  __syncthreads();
#pragma unroll
  for (unsigned k = 0; k < items; ++k) {
    const unsigned i = threadIdx.x + k * THREADS;
    if (i < valid) t.order[1 - from][target[k]] = order[i];
  }
}

// Wide blocks are done with a tile sooner: where a GPU has few of them.
extern "C" __global__ void __launch_bounds__(sort_threads, 4) tree_sort(TreeMemory t, int pass) {
  sort_tile_by<sort_threads>(t, pass);
}
extern "C" __global__ void __launch_bounds__(wide_sort_threads, 2) tree_sort_wide(TreeMemory t, int pass) {
  sort_tile_by<wide_sort_threads>(t, pass);
}

// Places and masses in the order of the keys. `sorted`: which of the two arrays has it.
extern "C" __global__ void __launch_bounds__(key_threads)
    tree_gather(BODIES_PARAMETER(bodies), TreeMemory t, index_t first, int sorted) {
  BODIES(bodies);
  const index_t i = blockIdx.x * key_threads + threadIdx.x;
  if (i >= t.bodies) return;
  const real4 x = body_at(bodies, t, first, t.order[sorted][i]);
  t.body[i] = make_float4(x.x, x.y, x.z, x.w);
}
