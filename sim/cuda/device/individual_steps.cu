// For step=block (sim/physics/integrators/block_levels.h): all bodies go through a step together, each in
// steps of step / 2^level of its own, which begin at multiples of their length. A moment is where some of
// them end. A byte of each body is its level.
enum : unsigned int { shortest_steps = 1u << deepest_level };

/// Active are the bodies of at least this level: their steps end or begin now.
__device__ __forceinline__ int least_level(index_t now) {
  return now == 0 ? 0 : deepest_level + 1 - __ffs((int)now);
}
/// The moment after this one, where the deepest level in use is known.
__device__ __forceinline__ index_t moment_after(index_t now, unsigned int deepest) {
  return now + (shortest_steps >> deepest);
}
/// Of a step of this level: a power of two, so that products with it are exact.
__device__ __forceinline__ step_t part_of(unsigned int level) {
  return (step_t)(shortest_steps >> level) * (step_t)(1.0 / (double)shortest_steps);
}

/// The smallest level whose steps are at most tau = eta sqrt(l / |a|) (sim::block_level, sim::StepCriterion).
__device__ __forceinline__ unsigned int wanted_level(const StepMoment& moment, const real3& a) {
  const double x = a.x, y = a.y, z = a.z;
  const double square = x * x + y * y + z * z;
  if (!(square > 0)) return 0;
  const double longest = moment.accuracy * sqrt(moment.length / sqrt(square));
  unsigned int level = 0;
  // Written so that what is no number has the shortest steps.
  while (level < deepest_level && !(fabs(moment.step) <= longest * (double)(1u << level))) ++level;
  return level;
}

/// Half a step of that level, as the kernel `update` kicks.
__device__ __forceinline__ void kick_half(real3& v, float* low, const StepMoment& moment, unsigned int level,
                                          const real3& a) {
  const step_t kick = (step_t)(0.5 * moment.step) * part_of(level);
#if COMPENSATED
  kick_body(v, low, kick, a);
#else
  v = make_real3(v.x + kick * a.x, v.y + kick * a.y, v.z + kick * a.z);
#endif
}

// The active ones of bodies [begin, end) end a step, or choose their level and begin one, or both. `deepest`
// becomes the deepest level that is chosen: no other body has a deeper one.
extern "C" __global__ void kick_active(BODIES_PARAMETER(bodies), const real* acceleration, index_t begin,
                                       index_t end, LOW_PARAMETER FIELD_PARAMETER const StepMoment moment,
                                       unsigned char* level, unsigned int* deepest) {
  BODIES(bodies);
  const index_t i = begin + blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned int least = least_level(moment.now);
  unsigned int chosen = 0;
  if (i < end && (!moment.ends || level[i] >= least)) {
    real3 a = own_pull(acceleration, i);
    add_field(FIELD_ARGUMENT get_position(bodies, i), a);
#if COMPENSATED
    float* const mine = low + 6ull * i;
#else
    float* const mine = nullptr;
#endif
    real3 v = get_velocity(bodies, i);
    if (moment.ends) kick_half(v, mine, moment, level[i], a);
    if (moment.begins) {
      // Longer only where the longer one may begin.
      chosen = wanted_level(moment, a);
      if (chosen < least) chosen = least;
      level[i] = (unsigned char)chosen;
      kick_half(v, mine, moment, chosen, a);
    }
    put_velocity(bodies, i, v.x, v.y, v.z);
  }
  for (int step = 16; step > 0; step /= 2) {
    const unsigned int other = __shfl_xor_sync(0xffffffffu, chosen, step);
    if (other > chosen) chosen = other;
  }
  if (threadIdx.x % 32 == 0 && chosen > 0) atomicMax(deepest, chosen);
}

/// True if a step of body i ends at the next moment.
__device__ __forceinline__ bool ends_next(index_t i, index_t end, const unsigned char* level, index_t now,
                                          unsigned int deepest) {
  return i < end && level[i] >= least_level(moment_after(now, deepest));
}

// All of bodies [begin, end) drift to the next moment. `active`: how many of each block are active then.
extern "C" __global__ void drift_all(BODIES_PARAMETER(bodies), index_t begin, index_t end,
                                     LOW_PARAMETER const StepMoment moment, const unsigned char* level,
                                     const unsigned int* deepest, index_t* active) {
  BODIES(bodies);
  __shared__ index_t of_block;
  const index_t i = begin + blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) of_block = 0;
  __syncthreads();
  const unsigned int ends = __ballot_sync(0xffffffffu, ends_next(i, end, level, moment.now, *deepest));
  if (threadIdx.x % 32 == 0 && ends != 0) atomicAdd(&of_block, (index_t)__popc(ends));
  __syncthreads();
  if (threadIdx.x == 0) active[blockIdx.x] = of_block;
  if (i >= end) return;
  const step_t drift = (step_t)moment.step * part_of(*deepest);
  real4 x = get_position(bodies, i);
  const real3 v = get_velocity(bodies, i);
#if COMPENSATED
  drift_body(x, low + 6ull * i, drift, v);
#else
  x.x += drift * v.x;
  x.y += drift * v.y;
  x.z += drift * v.z;
#endif
  put_position(bodies, i, x.x, x.y, x.z, x.w);
}

// One block: each of `count` numbers becomes the sum of those before it, and what follows them that of all.
extern "C" __global__ void __launch_bounds__(counting_block) sum_before(index_t* numbers, index_t count) {
  __shared__ index_t of_warp[counting_block / 32];
  const unsigned int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  index_t before = 0;
  for (index_t base = 0; base < count; base += counting_block) {
    const index_t k = base + threadIdx.x;
    const index_t own = k < count ? numbers[k] : 0;
    index_t sum = own;
    for (unsigned int step = 1; step < 32; step *= 2) {
      const index_t other = __shfl_up_sync(0xffffffffu, sum, step);
      if (lane >= step) sum += other;
    }
    if (lane == 31) of_warp[warp] = sum;
    __syncthreads();
    index_t others = 0, all = 0;
    for (unsigned int w = 0; w < counting_block / 32; ++w) {
      if (w < warp) others += of_warp[w];
      all += of_warp[w];
    }
    if (k < count) numbers[k] = before + others + sum - own;
    before += all;
    __syncthreads();
  }
  if (threadIdx.x == 0) numbers[count] = before;
}

// The bodies that are active at the next moment, ascending. `before`: active bodies of the blocks before.
extern "C" __global__ void list_active(index_t begin, index_t end, index_t now, const unsigned char* level,
                                       const unsigned int* deepest, const index_t* before, index_t* list) {
  __shared__ index_t of_warp[moving_block / 32];
  const unsigned int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const index_t i = begin + blockIdx.x * blockDim.x + threadIdx.x;
  const bool is = ends_next(i, end, level, now, *deepest);
  const unsigned int ends = __ballot_sync(0xffffffffu, is);
  if (lane == 0) of_warp[warp] = __popc(ends);
  __syncthreads();
  index_t place = before[blockIdx.x] + __popc(ends & ((1u << lane) - 1));
  for (unsigned int w = 0; w < warp; ++w) place += of_warp[w];
  if (is) list[place] = i;
}

// For the host: the deepest level, then where in the list the active bodies of each galaxy begin, and of the
// last one end.
extern "C" __global__ void note_active(const unsigned int* deepest, const index_t* list,
                                       const index_t* active, const index_t* galaxy_starts, index_t galaxies,
                                       index_t* notes) {
  const index_t k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k > galaxies) return;
  if (k == 0) notes[0] = *deepest;
  index_t low = 0, high = *active;
  while (low < high) {
    const index_t middle = (low + high) / 2;
    if (list[middle] < galaxy_starts[k])
      low = middle + 1;
    else
      high = middle;
  }
  notes[1 + k] = low;
}

// All `count` bodies, and behind them copies of the active ones, which are targets.
extern "C" __global__ void gather_active(BODIES_PARAMETER(bodies), BODIES_PARAMETER(all), index_t count,
                                         const index_t* list, index_t active) {
  BODIES(bodies);
  BODIES(all);
  const index_t k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= count + active) return;
  const real4 x = get_position(bodies, k < count ? k : list[k - count]);
  put_position(all, k, x.x, x.y, x.z, x.w);
}

// What was found for the active bodies, into the accelerations of all.
extern "C" __global__ void scatter_active(const real* found, const index_t* list, index_t active,
                                          real* acceleration) {
  const index_t k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= active) return;
  for (int axis = 0; axis < 3; ++axis) acceleration[3ull * list[k] + axis] = found[3ull * k + axis];
}
