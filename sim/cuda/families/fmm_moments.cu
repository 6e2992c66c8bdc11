// What the fast multipole method knows of the cells besides the tree: parents, slots, and their moments to
// the order EXPANSION - 1 about their centres of mass, in units of their reach: sums of mass (-b)^m / m!.

/// The middle of a box and half of its diagonal.
__device__ __forceinline__ float4 ball_around(float4 low, float4 high) {
  const float3 middle =
      make_float3(0.5f * (low.x + high.x), 0.5f * (low.y + high.y), 0.5f * (low.z + high.z));
  const float x = fmaxf(high.x - middle.x, middle.x - low.x), y = fmaxf(high.y - middle.y, middle.y - low.y),
              z = fmaxf(high.z - middle.z, middle.z - low.z);
  return make_float4(middle.x, middle.y, middle.z, 1.000001f * sqrtf(x * x + y * y + z * z));
}

/// From a point to the farthest corner of a box.
__device__ __forceinline__ float reach_in(float4 c, float4 low, float4 high) {
  const float x = fmaxf(c.x - low.x, high.x - c.x), y = fmaxf(c.y - low.y, high.y - c.y),
              z = fmaxf(c.z - low.z, high.z - c.z);
  return 1.000001f * sqrtf(x * x + y * y + z * z);
}

__device__ __forceinline__ float inverse_or_none(float x) { return x > 0 && x < 1e30f ? 1 / x : 0; }

/// A target that hands on to its parts what it cannot use. Cells with fewer bodies are summed for as a whole.
__device__ __forceinline__ bool is_divided_target(uint4 range, unsigned group) {
  return range.w != 0 && range.y > group;
}

// Parents, and which nodes are targets; and of what the walk of the tree compares it keeps what this one
// does: the reach of a cell behind its centre of mass (infinite: it has no moments), its mass behind its
// parts, and half of its diagonal in front of them.
extern "C" __global__ void __launch_bounds__(link_threads) fmm_link(TreeMemory t, FmmMemory f) {
  __shared__ unsigned first[32];
  find_levels(t, first);
  const unsigned nodes = min(first[most_levels], t.capacity);
  for (unsigned k = blockIdx.x * link_threads + threadIdx.x; k < nodes; k += gridDim.x * link_threads) {
    const uint4 range = t.range[k];
    const float4 low = t.low[k], high = t.high[k], c = t.center[k];
    const bool divided = is_divided_target(range, f.group);
    for (unsigned part = range.z; part < range.z + range.w; ++part)
      f.parent[part] = k, f.slot[part] = divided ? 1 : 0;
    if (k == 0) f.parent[0] = 0, f.slot[0] = 1;
    f.arrived[k] = f.ready[k] = 0;
    t.center[k].w = k < f.weighed ? reach_in(c, low, high) : __uint_as_float(0x7f800000u);
    t.opening[k].x = ball_around(low, high).w, t.opening[k].w = c.w;
  }
}

/// Some nodes, a lane each: which are targets, and which of these are divided. So many at a time are on their
/// way from memory.
enum : int { slot_loads = 8 };
struct SomeNodes {
  bool is_target[slot_loads], is_divided[slot_loads];
};
__device__ __forceinline__ void look_at(SomeNodes& nodes, const TreeMemory& t, const FmmMemory& f, unsigned k,
                                        unsigned end) {
#pragma unroll
  for (int n = 0; n < slot_loads; ++n) {
    const unsigned node = k + 32 * n + threadIdx.x % 32, there = min(node, end - 1);
    nodes.is_target[n] = f.slot[there] != 0 && node < end;
    nodes.is_divided[n] = is_divided_target(t.range[there], f.group) && nodes.is_target[n];
  }
}

// The list of targets, and slots of the divided ones, in their order: one block, a piece of the nodes for
// each warp.
extern "C" __global__ void __launch_bounds__(slot_threads) fmm_slots(TreeMemory t, FmmMemory f) {
  __shared__ unsigned first[32], of_warps[2][32];
  find_levels(t, first);
  const unsigned nodes = min(first[most_levels], t.capacity), lane = threadIdx.x % 32,
                 warp = threadIdx.x / 32;
  const unsigned each = (nodes + slot_threads - 1) / slot_threads * 32;
  const unsigned begin = min(warp * each, nodes), end = min(begin + each, nodes);
  SomeNodes some;
  unsigned targets = 0, slots = 0;
  for (unsigned k = begin; k < end; k += 32 * slot_loads) {
    look_at(some, t, f, k, end);
#pragma unroll
    for (int n = 0; n < slot_loads; ++n)
      targets += some.is_target[n] ? 1 : 0, slots += some.is_divided[n] ? 1 : 0;
  }
  targets = warp_sum(targets), slots = warp_sum(slots);
  if (lane == 0) of_warps[0][warp] = targets, of_warps[1][warp] = slots;
  __syncthreads();
  const unsigned targets_before = sum_of_lanes_before(of_warps[0][lane]),
                 slots_before = sum_of_lanes_before(of_warps[1][lane]);
  if (threadIdx.x == slot_threads - 1)
    f.counters->targets = targets_before + targets, f.counters->cells = slots_before + slots;
  unsigned target = __shfl_sync(~0u, targets_before, warp), slot = __shfl_sync(~0u, slots_before, warp);
  const unsigned earlier = (1u << lane) - 1;
  for (unsigned k = begin; k < end; k += 32 * slot_loads) {
    look_at(some, t, f, k, end);
#pragma unroll
    for (int n = 0; n < slot_loads; ++n) {
      const unsigned all = __ballot_sync(~0u, some.is_target[n]),
                     cells = __ballot_sync(~0u, some.is_divided[n]);
      if (some.is_target[n]) f.target[target + __popc(all & earlier)] = k + 32 * n + lane;
      if (some.is_divided[n]) f.slot[k + 32 * n + lane] = slot + __popc(cells & earlier);
      target += __popc(all), slot += __popc(cells);
    }
  }
}

/// Adds a body to moments about `c`, in units of 1 / scale.
__device__ __forceinline__ void add_body(float (&sum)[moment_terms], float4 body, float4 c, float scale) {
  float m[terms_below(EXPANSION)];
  find_monomials<EXPANSION>(
      m, make_float3(scale * (body.x - c.x), scale * (body.y - c.y), scale * (body.z - c.z)));
  repeat<0, terms_below(EXPANSION)>([&](auto number) {
    constexpr int t = decltype(number)::value;
    if constexpr (has_moment(t))
      sum[moment_at(t)] += body.w * (order_of(power_at(t)) % 2 == 1 ? -m[t] : m[t]);
  });
}

/// Adds a part's moments, whose unit is `ratio` of this one's and whose centre is `from` from this one's, in
/// that unit.
__device__ __forceinline__ void add_part(float (&sum)[moment_terms], const float* part, float3 from,
                                         float ratio) {
  float shift[terms_below(EXPANSION)], own[moment_terms], power[EXPANSION];
  find_monomials<EXPANSION>(shift, make_float3(-from.x, -from.y, -from.z));
  power[0] = 1;
#pragma unroll
  for (int k = 1; k < EXPANSION; ++k) power[k] = power[k - 1] * ratio;
  repeat<0, terms_below(EXPANSION)>([&](auto number) {
    constexpr int t = decltype(number)::value;
    if constexpr (has_moment(t)) own[moment_at(t)] = part[moment_at(t)] * power[order_of(power_at(t))];
  });
  repeat<0, terms_below(EXPANSION)>([&](auto number) {
    constexpr int t = decltype(number)::value;
    if constexpr (has_moment(t)) {
      repeat<0, t + 1>([&](auto other) {
        constexpr int o = decltype(other)::value;
        if constexpr (has_moment(o) && divides(o, t))
          sum[moment_at(t)] += own[moment_at(o)] * shift[quotient_of(t, o)];
      });
    }
  });
}

/// What a warp keeps in shared memory.
struct MomentStage {
  float rows[32 * stage_row], result[moment_row];
};

/// Sums up what the lanes have, and writes it as the node's.
__device__ __forceinline__ void write_moments(const FmmMemory& f, MomentStage& s, unsigned k, unsigned rows,
                                              const float (&sum)[moment_terms]) {
  const unsigned lane = threadIdx.x % 32;
  sum_columns(sum, s.rows, rows, s.result);
  for (unsigned n = lane; n < moment_row; n += 32)
    f.moment[(unsigned long long)k * moment_row + n] = n < moment_terms ? s.result[n] : 0;
  __syncwarp();
}

__device__ __forceinline__ void weigh_bodies(const TreeMemory& t, const FmmMemory& f, MomentStage& s,
                                             unsigned k, uint4 range) {
  const float4 c = t.center[k];
  const float scale = inverse_or_none(c.w);
  float sum[moment_terms] = {};
  for (unsigned j = threadIdx.x % 32; j < range.y; j += 32) add_body(sum, t.body[range.x + j], c, scale);
  write_moments(f, s, k, min(range.y, 32u), sum);
}

__device__ __forceinline__ void weigh_parts(const TreeMemory& t, const FmmMemory& f, MomentStage& s,
                                            unsigned k, uint4 range) {
  const unsigned lane = threadIdx.x % 32, part = range.z + lane;
  const float4 c = t.center[k];
  const float scale = inverse_or_none(c.w);
  float sum[moment_terms] = {};
  const float4 d = t.center[lane < range.w ? part : range.z];
  // A cell with a part that has no moments has none.
  if (__ballot_sync(~0u, !(d.w < 1e30f)) != 0) {
    if (lane == 0) t.center[k].w = __uint_as_float(0x7f800000u);
    return;
  }
  if (lane < range.w) {
    add_part(sum, f.moment + (unsigned long long)part * moment_row,
             make_float3(scale * (d.x - c.x), scale * (d.y - c.y), scale * (d.z - c.z)), scale * d.w);
  }
  write_moments(f, s, k, range.w, sum);
}

/// Goes up from a node to the first cell that waits for other parts, which the last of them goes on with. So
/// each cell is summed once, over all of its parts in their order.
__device__ __forceinline__ void weigh_upwards(const TreeMemory& t, const FmmMemory& f, MomentStage& s,
                                              unsigned k) {
  while (k > 0) {
    k = f.parent[k];
    const uint4 range = t.range[k];
    unsigned before = 0;
    __threadfence();
    __syncwarp();
    if (threadIdx.x % 32 == 0) before = atomicAdd(&f.arrived[k], 1u);
    before = __shfl_sync(~0u, before, 0);
    if (before + 1 < range.w) return;
    __threadfence();
    if (k < f.weighed) weigh_parts(t, f, s, k, range);
  }
}

// Moments of all cells, a warp a leaf.
extern "C" __global__ void __launch_bounds__(fmm_threads) fmm_moments(TreeMemory t, FmmMemory f) {
  __shared__ unsigned first[32];
  __shared__ MomentStage stages[fmm_threads / 32];
  find_levels(t, first);
  MomentStage& mine = stages[threadIdx.x / 32];
  const unsigned nodes = min(first[most_levels], t.capacity), warps = gridDim.x * (fmm_threads / 32);
  for (unsigned k = blockIdx.x * (fmm_threads / 32) + threadIdx.x / 32; k < nodes; k += warps) {
    const uint4 range = t.range[k];
    if (range.w != 0) continue;
    if (k < f.weighed) weigh_bodies(t, f, mine, k, range);
    weigh_upwards(t, f, mine, k);
  }
}
