// The sources are split into ranges, one for each row of blocks, and every thread sums BODIES_PER_THREAD
// targets, so that a source read from shared memory serves several interactions and a small galaxy still
// fills the GPU. Equal masses are found tile by tile while it is staged: such a tile needs no mass in its
// loop, 12 issue slots per interaction instead of 13. Partial sums go to memory and are added in order by
// `add_partials`.
#define SLOTS BODIES_PER_THREAD

// Threads of a multiprocessor that the compiler makes room for: measured, see docs/performance.md.
#if MAX_REGISTERS > 0 || PRECISION == 64 || !EQUAL_MASSES
#define RESIDENT 1
#elif SLOTS <= 2
#define RESIDENT (1024 / BLOCK)
#elif SLOTS <= 4
#define RESIDENT (768 / BLOCK)
#else
#define RESIDENT (512 / BLOCK)
#endif

#if EQUAL_MASSES
/// Adds the pull of a source whose mass is 1 (EQUAL) or source.w. The softening begins the chain of
/// multiply-adds, which saves an addition.
template <bool Equal>
__device__ __forceinline__ void pull(real3& sum, const Target& here, const Source& source,
                                     const Constants& constants) {
  const real dx = source.x - here.x;
  const real dy = source.y - here.y;
#if DIMENSIONS == 3
  const real dz = source.z - here.z;
  const real d2 = dx * dx + (dy * dy + (dz * dz + constants.softening_squared));
#else
  const real d2 = dx * dx + (dy * dy + constants.softening_squared);
#endif
  const real weight = Equal ? guarded_inverse_cube(d2) : source.w * guarded_inverse_cube(d2);
  sum.x += weight * dx;
  sum.y += weight * dy;
  ONLY_3D(sum.z += weight * dz;)
}
/// Masses are staged over that of the range's first source, which multiplies the sums at the end.
__device__ __forceinline__ real unit_of(const Source& source) { return source.w > 0 ? source.w : (real)1; }
__device__ __forceinline__ bool is_unit(const Source& source, real unit) { return source.w == unit; }
__device__ __forceinline__ Source over_unit(Source source, real inverse) {
  source.w *= inverse;
  return source;
}
#else
/// Charges have strengths of both signs: no tile is of equal ones.
template <bool Equal>
__device__ __forceinline__ void pull(real3& sum, const Target& here, const Source& source,
                                     const Constants& constants) {
  interact(sum, here, source, constants);
}
__device__ __forceinline__ real unit_of(const Source&) { return 1; }
__device__ __forceinline__ bool is_unit(const Source&, real) { return false; }
__device__ __forceinline__ Source over_unit(const Source& source, real) { return source; }
#endif

/// Adds the source at `place` of a tile to the sums of all targets of the thread.
template <bool Equal>
__device__ __forceinline__ void sum_source(real3 (&sum)[SLOTS], const Target (&here)[SLOTS],
                                           const Source* place, const Constants& constants) {
  const Source source = *place;
#pragma unroll
  for (int b = 0; b < SLOTS; ++b) pull<Equal>(sum[b], here[b], source, constants);
}

/// The same for the first `count` sources.
template <bool Equal>
__device__ __forceinline__ void sum_tile(real3 (&sum)[SLOTS], const Target (&here)[SLOTS], const Source* tile,
                                         index_t count, const Constants& constants) {
  if (count == TILE) {
    UNROLL_LOOP
    for (index_t k = 0; k < TILE; ++k) sum_source<Equal>(sum, here, tile + k, constants);
  } else {
#pragma unroll 4
    for (index_t k = 0; k < count; ++k) sum_source<Equal>(sum, here, tile + k, constants);
  }
}

/// The thread's targets, and what the sources [from, to) do to them, over the mass that is returned.
__device__ __forceinline__ real sum_range(real3 (&sum)[SLOTS], Target (&here)[SLOTS], Source* tile,
                                          const Bodies& bodies, index_t from, index_t to, index_t begin,
                                          index_t end, const Constants& constants) {
  const real unit = unit_of(load_source(bodies, from));
  const real inverse = 1 / unit;
#pragma unroll
  for (int b = 0; b < SLOTS; ++b) {
    const index_t i = begin + (blockIdx.x * SLOTS + b) * BLOCK + threadIdx.x;
    here[b] = i < end ? load_target(bodies, i) : no_target();
    sum[b] = make_real3(0, 0, 0);
  }
  for (index_t base = from; base < to; base += TILE) {
    const index_t count = to - base < TILE ? to - base : TILE;
    bool equal = true;
#pragma unroll 2
    for (index_t k = threadIdx.x; k < count; k += BLOCK) {
      const Source source = load_source(bodies, base + k);
      equal = equal && is_unit(source, unit);
      tile[k] = over_unit(source, inverse);
    }
    if (__syncthreads_and(equal)) {
      sum_tile<true>(sum, here, tile, count, constants);
    } else {
      sum_tile<false>(sum, here, tile, count, constants);
    }
    __syncthreads();
  }
  return unit;
}

/// Row `row` of partial sums of `targets` targets: first x of all, then y, then z.
__device__ __forceinline__ void put_partial(real* partial, unsigned long long targets, index_t row,
                                            index_t target, const real3& sum) {
  real* mine = partial + 3 * targets * row + target;
  mine[0] = sum.x;
  mine[targets] = sum.y;
  mine[2 * targets] = sum.z;
}

#if !UPDATES
/// `range`: sources of a row of blocks. `sums`: partial sums.
extern "C" __global__ void __launch_bounds__(BLOCK, RESIDENT > 0 ? RESIDENT : 1)
    forces(CONSTANTS_PARAMETER BODIES_PARAMETER(bodies), real* sums, index_t first, index_t last,
           index_t begin, index_t end, index_t range) {
  after_previous();
  BODIES(bodies);
  __shared__ Source tile[TILE];
  const index_t from = first + blockIdx.y * range;
  const index_t to = last - from < range ? last : from + range;
  Target here[SLOTS];
  real3 sum[SLOTS];
  const real unit = sum_range(sum, here, tile, bodies, from, to, begin, end, CONSTANTS);
#pragma unroll
  for (int b = 0; b < SLOTS; ++b) {
    const index_t i = begin + (blockIdx.x * SLOTS + b) * BLOCK + threadIdx.x;
    if (i >= end) continue;
    const real3 found = of_target(sum[b], here[b]);
    put_partial(sums, end - begin, blockIdx.y, i - begin,
                make_real3(unit * found.x, unit * found.y, unit * found.z));
  }
}
#endif

#if !UPDATES
// ADDERS threads add every so-manyth row of a number and then each other's sums: always in the same order.
#define ADDED (ADDING_THREADS / ADDERS)

/// `rows` rows of partial sums: first x of all targets, then y, then z.
extern "C" __global__ void __launch_bounds__(ADDING_THREADS)
    add_partials(CONSTANTS_PARAMETER const real* partial, real* acceleration, index_t rows, index_t begin,
                 index_t end) {
  after_previous();
  __shared__ real part[ADDERS][ADDED];
  const unsigned long long targets = end - begin;
  const index_t adder = threadIdx.x / ADDED;
  const index_t column = threadIdx.x % ADDED;
  const unsigned long long k = (unsigned long long)blockIdx.x * ADDED + column;
  real sum = 0;
  if (k < 3 * targets) {
#pragma unroll 16
    for (index_t row = adder; row < rows; row += ADDERS) sum += partial[3 * targets * row + k];
  }
  part[adder][column] = sum;
  __syncthreads();
  if (adder > 0 || k >= 3 * targets) return;
  for (int other = 1; other < ADDERS; ++other) sum += part[other][column];
  const index_t axis = k >= 2 * targets ? 2 : k >= targets;
  acceleration[3 * (begin + k - axis * targets) + axis] = strength(CONSTANTS) * sum;
}
#endif
