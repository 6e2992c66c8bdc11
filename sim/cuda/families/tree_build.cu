// The octree over sorted keys. A cell begins at a body and has a level: the leading octal digits that its
// keys share. Each body alone can tell which cells begin at it, so that one pass marks all cells of all
// levels, and a second one writes them where a sum over the marks says: level by level, in the order of the
// keys. Cells with a single part are left out.

/// Leading octal digits that two bodies share: of their keys, and where these are the same, of their numbers
/// (Karras, "Maximizing parallelism in the construction of BVHs", 2012).
__device__ __forceinline__ int digits_shared(const sort_key* keys, int key_bits, unsigned i, unsigned j) {
  const sort_key differing = keys[i] ^ keys[j];
  if (differing != 0) return key_bits - 1 - (63 - __clzll(differing)) / 3;
  return key_bits + number_digits - 1 - (31 - __clz(i ^ j)) / 3;
}

/// The sorted keys of a tree.
struct SortedKeys {
  const sort_key* keys;
  unsigned bodies, leaf_size;
  int key_bits;
};
/// True if the two bodies share so many digits.
__device__ __forceinline__ bool share(const SortedKeys& s, unsigned i, unsigned j, int digits) {
  const sort_key differing = s.keys[i] ^ s.keys[j];
  if (digits <= s.key_bits) return differing >> 3 * (s.key_bits - digits) == 0;
  return differing == 0 && (i ^ j) >> 3 * (s.key_bits + number_digits - digits) == 0;
}

/// True if more bodies than a leaf holds share so many digits with body i and the one before it.
__device__ __forceinline__ bool crowd_around(const SortedKeys& s, unsigned i, int digits) {
  if (i >= s.leaf_size && share(s, i - s.leaf_size, i, digits)) return true;
  unsigned low = i >= s.leaf_size ? i - s.leaf_size + 1 : 0, high = i - 1;
  while (low < high) {
    const unsigned middle = (low + high) / 2;
    if (share(s, middle, i, digits))
      high = middle;
    else
      low = middle + 1;
  }
  return s.bodies - high > s.leaf_size && share(s, i, high + s.leaf_size, digits);
}

/// True if the cell of this level that begins at body i holds more than a leaf.
__device__ __forceinline__ bool is_crowded(const SortedKeys& s, unsigned i, int level) {
  return s.bodies - i > s.leaf_size && share(s, i, i + s.leaf_size, level);
}

/// The first body behind the cell that begins at body i; `inside` is in it, `outside` is behind it, or 0
/// where that is not known. All lanes of a warp search for one.
__device__ __forceinline__ unsigned cell_end(const SortedKeys& s, unsigned i, int level, unsigned inside,
                                             unsigned outside) {
  const unsigned lane = threadIdx.x % 32;
  if (outside == 0) {
    const unsigned long long probe = inside + (1ull << lane);
    const bool is_in = probe < s.bodies && share(s, i, (unsigned)probe, level);
    const unsigned steps = __popc(__ballot_sync(~0u, is_in));
    outside = (unsigned)min(inside + (1ull << steps), (unsigned long long)s.bodies);
    if (steps > 0) inside += 1u << (steps - 1);
  }
  while (outside - inside > 1) {
    const unsigned step = (outside - inside + 31) / 32;
    const unsigned long long probe = inside + (unsigned long long)step * (lane + 1);
    const bool is_in = probe < outside && share(s, i, (unsigned)probe, level);
    inside += step * __popc(__ballot_sync(~0u, is_in));
    outside = (unsigned)min((unsigned long long)outside, (unsigned long long)inside + step);
  }
  return outside;
}

/// The ends of cells as cell_end, one lane that asks after the other. `end`: what is known to be behind its
/// cell, or 0; then the end.
__device__ __forceinline__ void find_ends(const SortedKeys& s, bool asks, unsigned i, int level,
                                          unsigned inside, unsigned& end) {
  for (unsigned asking = __ballot_sync(~0u, asks); asking != 0; asking &= asking - 1) {
    const int from = __ffs(asking) - 1;
    const unsigned found = cell_end(s, __shfl_sync(~0u, i, from), __shfl_sync(~0u, level, from),
                                    __shfl_sync(~0u, inside, from), __shfl_sync(~0u, end, from));
    if (threadIdx.x % 32 == from) end = found;
  }
}

/// Levels of the cells that begin at body i, a bit each. For a whole warp; 0 for lanes without a body.
__device__ unsigned cells_at(const SortedKeys& s, unsigned i) {
  const bool is_there = i < s.bodies;
  int level = -1;
  unsigned end = 0;
  if (is_there && i == 0) level = 0, end = s.bodies;
  if (is_there && i > 0) {
    const int before = digits_shared(s.keys, s.key_bits, i - 1, i);
    if (crowd_around(s, i, before)) level = before + 1;
  }
  unsigned levels = level >= 0 ? 1u << level : 0;
  bool divides = level >= 0 && is_crowded(s, i, level);
  while (__ballot_sync(~0u, divides) != 0) {
    find_ends(s, divides, i, level, i + s.leaf_size, end);
    if (!divides) continue;
    level = digits_shared(s.keys, s.key_bits, i, end - 1) + 1;
    levels |= 1u << level;
    divides = is_crowded(s, i, level);
  }
  return levels;
}

__device__ __forceinline__ SortedKeys sorted_keys(const TreeMemory& t, int sorted, index_t leaf_size,
                                                  int key_bits) {
  return {t.key[sorted], t.bodies, leaf_size, key_bits};
}

// Marks the cells, and counts them for each tile of bodies and level.
extern "C" __global__ void __launch_bounds__(build_threads)
    tree_mark(TreeMemory t, int sorted, index_t leaf_size, int key_bits) {
  __shared__ unsigned counts[most_levels];
  const SortedKeys keys = sorted_keys(t, sorted, leaf_size, key_bits);
  unsigned* const marks = t.order[1 - sorted];
  if (threadIdx.x < most_levels) counts[threadIdx.x] = 0;
  __syncthreads();
  for (unsigned k = threadIdx.x; k < build_tile; k += build_threads) {
    const unsigned i = blockIdx.x * build_tile + k;
    const unsigned levels = cells_at(keys, i);
    if (i < t.bodies) marks[i] = levels;
    for (unsigned left = levels; left != 0; left &= left - 1) atomicAdd(&counts[__ffs(left) - 1], 1u);
  }
  __syncthreads();
  if (threadIdx.x < most_levels) t.cells[threadIdx.x * gridDim.x + blockIdx.x] = counts[threadIdx.x];
}

/// Makes counts of tiles those of all tiles before, by a block of `digits` threads. The last thread gets the
/// sum of all.
__device__ unsigned sums_of_tiles(unsigned* cells, int tiles) {
  __shared__ unsigned of_warps[digits / 32];
  const int each = (tiles + digits - 1) / digits;
  const int begin = min((unsigned)(threadIdx.x * each), (unsigned)tiles);
  const int end = min((unsigned)(begin + each), (unsigned)tiles);
  unsigned sum = 0;
  for (int k = begin; k < end; ++k) sum += cells[k];
  unsigned before = sum_before(sum, of_warps);
  for (int k = begin; k < end; ++k) {
    const unsigned count = cells[k];
    cells[k] = before;
    before += count;
  }
  return before;
}

// Cells of a level in the tiles before each tile: a block a level.
extern "C" __global__ void __launch_bounds__(digits) tree_count(TreeMemory t, int tiles) {
  const unsigned sum = sums_of_tiles(t.cells + blockIdx.x * tiles, tiles);
  if (threadIdx.x == digits - 1) t.counters->nodes[blockIdx.x] = sum;
}

/// The first node of each level, and behind the last one: for a whole block. (most_levels is below 32.)
__device__ __forceinline__ void find_levels(const TreeMemory& t, unsigned* first) {
  if (threadIdx.x < 32) {
    const unsigned nodes = threadIdx.x < most_levels ? t.counters->nodes[threadIdx.x] : 0;
    first[threadIdx.x] = sum_of_lanes_before(nodes);
  }
  __syncthreads();
}

/// Instead of the number of a cell.
enum : unsigned {
  no_cell = 0xffffffffu,
  later_part = 0xfffffffeu  // the same one as of the node before; the root has none before it
};
/// Says that node k, whose own bodies are not weighed yet, is a part of that cell (TreeMemory::low and high).
__device__ __forceinline__ void link_part(const TreeMemory& t, unsigned k, unsigned cell) {
  t.low[k].w = __uint_as_float(cell);
  t.high[k].w = 0;
}
__device__ __forceinline__ unsigned part_of(const TreeMemory& t, unsigned k) {
  return __float_as_uint(t.low[k].w);
}

/// Levels that lanes of the warp have.
__device__ __forceinline__ unsigned levels_of_warp(unsigned levels) {
  for (int step = 16; step > 0; step /= 2) levels |= __shfl_xor_sync(~0u, levels, step);
  return levels;
}

/// The first body behind a cell that begins at `lane` of a warp whose bodies begin at `first`. `here`,
/// `next`: at which bodies of the warp, and of the 32 behind them, begins what is not in the cell. 0: at
/// none.
__device__ __forceinline__ unsigned end_in_rows(unsigned here, unsigned next, unsigned lane, unsigned first) {
  const unsigned behind = here & ~((2u << lane) - 1);
  if (behind != 0) return first + __ffs(behind) - 1;
  return next != 0 ? first + 32 + __ffs(next) - 1 : 0;
}

/// The ends of the cells of this level that begin at bodies of a warp: levels of cells that begin there, and
/// 32 bodies behind. At the end of a cell begins one of the same level, or of one nearer to the root.
__device__ __forceinline__ unsigned ends_of_level(const SortedKeys& s, unsigned i, int level, bool begins,
                                                  unsigned levels, unsigned next, unsigned outside) {
  const unsigned up_to = (2u << level) - 1, row = i - threadIdx.x % 32;
  const unsigned here = __ballot_sync(~0u, i >= s.bodies || (levels & up_to) != 0),
                 behind = __ballot_sync(~0u, i + 32 >= s.bodies || (next & up_to) != 0);
  unsigned end = end_in_rows(here, behind, threadIdx.x % 32, row);
  const bool is_longer = begins && end == 0;
  if (is_longer) end = outside;
  find_ends(s, is_longer, i, level, row + 63, end);
  return end;
}

/// Writes the cells that begin at the bodies of a warp. `place`: where its first one of each level goes;
/// `next`: levels of cells that begin 32 bodies behind. A cell whose parts have no room is a leaf, whatever
/// it holds.
__device__ void write_cells(const TreeMemory& t, const SortedKeys& s, unsigned i, unsigned levels,
                            unsigned next, const unsigned (*place)[32], unsigned row) {
  const unsigned before = (1u << threadIdx.x % 32) - 1;
  unsigned end = i == 0 ? s.bodies : 0, mine = 0;
  bool has = false;
  for (unsigned left = levels_of_warp(levels); left != 0; left &= left - 1) {
    const int level = __ffs(left) - 1;
    const bool begins = (levels >> level & 1) != 0;
    const unsigned at = place[level][row] + __popc(__ballot_sync(~0u, begins) & before);
    const bool fits = at + 8 <= t.capacity;
    if (begins && has && mine < t.capacity)
      t.range[mine] = make_uint4(i, end - i, fits ? at : 0, fits ? level : 0);
    if (begins && at < t.capacity) link_part(t, at, !has ? later_part : fits ? mine : no_cell);
    const unsigned found = ends_of_level(s, i, level, begins, levels, next, end);
    if (begins) has = true, mine = at, end = found;
  }
  if (has && mine < t.capacity) t.range[mine] = make_uint4(i, end - i, 0, 0);
}

// Writes the marked cells: bodies, first part and its level. Tiles as tree_mark's.
extern "C" __global__ void __launch_bounds__(build_threads, 2048 / build_threads)
    tree_cells(TreeMemory t, int sorted, index_t leaf_size, int key_bits) {
  constexpr unsigned warps = build_threads / 32, rows = build_tile / 32;
  static_assert(rows == 32, "a lane sums up a row");
  __shared__ unsigned place[most_levels][rows], first[32];
  const SortedKeys keys = sorted_keys(t, sorted, leaf_size, key_bits);
  const unsigned* const marks = t.order[1 - sorted];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  find_levels(t, first);
  for (unsigned k = threadIdx.x; k < most_levels * 32; k += build_threads) place[k / 32][k % 32] = 0;
  __syncthreads();
  for (unsigned row = warp; row < rows; row += warps) {
    const unsigned i = blockIdx.x * build_tile + row * 32 + lane;
    const unsigned levels = i < t.bodies ? marks[i] : 0;
    for (unsigned left = levels_of_warp(levels); left != 0; left &= left - 1) {
      const int level = __ffs(left) - 1;
      const unsigned all = __ballot_sync(~0u, (levels >> level & 1) != 0);
      if (lane == 0) place[level][row] = __popc(all);
    }
  }
  __syncthreads();
  for (unsigned level = warp; level < most_levels; level += warps)
    place[level][lane] =
        sum_of_lanes_before(place[level][lane]) + first[level] + t.cells[level * gridDim.x + blockIdx.x];
  __syncthreads();
  for (unsigned row = warp; row < rows; row += warps) {
    const unsigned i = blockIdx.x * build_tile + row * 32 + lane;
    const unsigned levels = i < t.bodies ? marks[i] : 0, next = i + 32 < t.bodies ? marks[i + 32] : 0;
    write_cells(t, keys, i, levels, next, place, row);
  }
}
