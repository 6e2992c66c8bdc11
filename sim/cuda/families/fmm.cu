// Forces by fast multipoles. Warps take the nodes of the tree in its order, parents first. A node begins with
// the local series of its parent, moved to its own middle, and with the cells that its parent could not use as
// a whole: each is used now, or opened, or handed on to the node's parts. A leaf opens all, and sums bodies.
// What a node does depends on its parent alone: which warp is first decides nothing.
enum : int {
  popped = 4,        // entries of the stack at a time: the parts of so many cells
  deep_stack = 160,  // from here on one at a time, so that the stack cannot overflow
  stack_entries = 416,
  list_entries = 64,
  batch = 32,  // cells or leaves of a list that are summed together
  source_entries = 64,
  summed_sources = 32,
  slot_head = 4,  // words of a slot: cells (or that they do not fit), sum of the sizes of pulls
  slot_cells = slot_head + local_row,
  slot_most = slot_cells + 4096
};
#define NO_ROOM 0xffffffffu
/// A cell is opened rather than the target divided if it is larger by this.
#define LARGER 1.3f

struct FmmLists {
  unsigned stack[stack_entries];  // parts of a cell: first << 3 | (number - 1)
  unsigned far[list_entries];     // cells that act as a whole
  unsigned leaf[list_entries];    // leaves whose bodies are to be summed: first body
  unsigned leaf_size[list_entries];
  union {
    float stage[32 * widest_row];
    float parent[local_row];
  };
  float4 source[source_entries];  // bodies, relative to the target
  float local[local_row];
  float shift[3][EXPANSION + 1];  // powers over factorials
};

/// What is to be summed: a divided cell, or bodies of a leaf.
struct WalkedFor {
  float4 ball;            // its middle, its radius
  unsigned first, count;  // bodies; 0: a divided cell
};

/// A target while it is walked for.
struct Walk {
  float3 center;
  float radius;
  bool is_cell;
  float allowed;               // error of a pull
  unsigned far, leaves;        // in the lists
  unsigned sources;            // the same
  unsigned *handed, room, on;  // to the parts: where to, how many can be, how many are
  unsigned near, whole;        // bodies and cells that were summed
  float sizes;                 // of this lane's cells: sum of the sizes of their pulls
};

/// Bodies of a group: in one or two rounds of lanes; where there are few, lanes share a body and take the
/// sources in turns.
struct GroupBodies {
  float4 here[2];
  float3 sum[2];
  unsigned width;  // lanes for bodies
  bool two;
};

__device__ __forceinline__ float squared_length(float3 d) { return d.x * d.x + d.y * d.y + d.z * d.z; }
__device__ __forceinline__ float3 from_center(const Walk& w, float4 c) {
  return make_float3(c.x - w.center.x, c.y - w.center.y, c.z - w.center.z);
}
__device__ __forceinline__ unsigned lanes_before(unsigned ballot) {
  return __popc(ballot & ((1u << threadIdx.x % 32) - 1));
}

/// Where the slot of a divided cell is, and how many words it has; nullptr: there is no room for it.
__device__ __forceinline__ unsigned* slot_of(const FmmMemory& f, unsigned k, unsigned& words) {
  const unsigned cells = f.counters->cells;
  words = min(f.pool_words / max(cells, 1u), (unsigned)slot_most) & ~3u;
  words = max(words, (unsigned)slot_cells + 32u);
  const unsigned long long begin = (unsigned long long)f.slot[k] * words;
  return begin + words <= f.pool_words ? f.pool + begin : nullptr;
}

// ---- what a node gets from its parent ----

/// The local series and cells of a parent; {nullptr, 0}: nothing is done yet, and the root is to be looked at.
struct Inherited {
  const unsigned* slot;
  unsigned cells;
};
__device__ __forceinline__ Inherited inherited(const FmmMemory& f, unsigned k) {
  if (k == 0) return {nullptr, 0};
  const unsigned parent = f.parent[k];
  for (unsigned written = 0; written == 0;) {
    if (threadIdx.x % 32 == 0) written = *(volatile unsigned*)&f.ready[parent];
    written = __shfl_sync(~0u, written, 0);
  }
  __threadfence();
  unsigned words;
  const unsigned* slot = slot_of(f, parent, words);
  if (slot == nullptr || slot[0] == NO_ROOM) return {nullptr, 0};
  return {slot, slot[0]};
}

/// Moves the parent's series by `from`, in its unit, to one whose unit is `ratio` of that.
__device__ void move_series(FmmLists& s, float3 from, float ratio) {
  const unsigned lane = threadIdx.x % 32;
  if (lane < 3) {
    const float x = lane == 0 ? from.x : lane == 1 ? from.y : from.z;
    float power = 1;
    for (int n = 0; n <= EXPANSION; ++n) {
      s.shift[lane][n] = power;
      power *= x / (n + 1);
    }
  }
  __syncwarp();
  for (int t = 1 + lane; t < all_terms; t += 32) {
    const Power p = power_at(t);
    const int more = EXPANSION - order_of(p);
    float sum = 0, unit = 1;
    for (int a = 0; a <= more; ++a) {
      for (int b = 0; a + b <= more; ++b) {
        const float outer = s.shift[0][a] * s.shift[1][b];
        for (int c = 0; a + b + c <= more; ++c)
          sum += s.parent[place_of(p.x + a, p.y + b, p.z + c) - 1] * (outer * s.shift[2][c]);
      }
    }
    for (int n = 1; n < order_of(p); ++n) unit *= ratio;
    s.local[t - 1] = unit * sum;
  }
  __syncwarp();
}

/// Begins the local series; returns the sum of the sizes of pulls in it.
__device__ __forceinline__ float begin_series(const TreeMemory& t, const FmmMemory& f, FmmLists& s,
                                              const Walk& w, unsigned k, const Inherited& from) {
  const unsigned lane = threadIdx.x % 32;
  if (from.slot == nullptr) {
    for (unsigned n = lane; n < local_row; n += 32) s.local[n] = 0;
    __syncwarp();
    return 0;
  }
  const unsigned parent = f.parent[k];
  for (unsigned n = lane; n < local_row; n += 32) s.parent[n] = __uint_as_float(from.slot[slot_head + n]);
  __syncwarp();
  const float4 ball = ball_around(t.low[parent], t.high[parent]);
  const float inverse = inverse_or_none(ball.w);
  move_series(s,
              make_float3(inverse * (w.center.x - ball.x), inverse * (w.center.y - ball.y),
                          inverse * (w.center.z - ball.z)),
              inverse * w.radius);
  return __uint_as_float(from.slot[1]);
}

/// What the acceleration of the target's middle is about: the series, and the cells handed on that do not lie
/// around it. Where pulls cancel a hundredth of their sizes counts instead.
__device__ __forceinline__ float acceleration_of(const TreeMemory& t, const FmmLists& s, const Walk& w,
                                                 const Inherited& from, float sizes, float eps2) {
  const unsigned lane = threadIdx.x % 32;
  float3 sum = make_float3(0, 0, 0);
  float size = 0;
  for (unsigned k = lane; k < from.cells; k += 32) {
    const unsigned node = from.slot[slot_cells + k];
    const float4 c = t.center[node];
    const float3 d = from_center(w, c);
    const float d2 = squared_length(d);
    if (d2 <= c.w * c.w) continue;
    const float u = rsqrtf(d2 + eps2), pull = t.opening[node].w * u * u;
    sum.x += pull * (d.x * u), sum.y += pull * (d.y * u), sum.z += pull * (d.z * u);
    size += pull;
  }
  const float x = warp_sum(sum.x) + s.local[0], y = warp_sum(sum.y) + s.local[1],
              z = warp_sum(sum.z) + s.local[2];
  return fmaxf(sqrtf(x * x + y * y + z * z), 0.01f * (sizes + warp_sum(size)));
}

// ---- lists ----

/// A node a lane, with what decides about it.
struct Candidate {
  bool is_there;
  unsigned number;
  float4 center, what;  // centre of mass, reach; radius, parts or first body, bodies, mass
};

/// The next nodes: parts of opened cells, or, where there are none, of what was handed on.
__device__ __forceinline__ Candidate next_candidates(const TreeMemory& t, const FmmLists& s, const Inherited& from,
                                                     unsigned& filled, unsigned& taken) {
  const unsigned lane = threadIdx.x % 32, entry = lane / 8, part = lane % 8;
  Candidate next = {false, 0};
  if (filled > 0) {
    const unsigned now = filled > deep_stack ? 1 : min(filled, (unsigned)popped);
    const unsigned word = entry < now ? s.stack[filled - 1 - entry] : 0;
    filled -= now;
    next.is_there = entry < now && part <= (word & 7);
    next.number = next.is_there ? (word >> 3) + part : 0;
  } else {
    next.is_there = taken + lane < from.cells;
    next.number = next.is_there ? from.slot[slot_cells + taken + lane] : 0;
    taken = min(taken + 32, from.cells);
  }
  next.center = t.center[next.number], next.what = t.opening[next.number];
  __syncwarp();
  return next;
}

/// What is done with a node.
enum : int { is_left_out, acts_as_a_whole, is_opened, is_handed_on, is_summed };
__device__ __forceinline__ int decide(const Walk& w, const FmmRule& rule, const Candidate& c) {
  if (!c.is_there || c.what.w == 0) return is_left_out;
  const float d2 = squared_length(from_center(w, c.center));
  const float inverse = rsqrtf(d2), q = (c.center.w + rule.stretch * w.radius) * inverse;
  float error = c.what.w * (inverse * inverse);
#pragma unroll
  for (int k = 0; k < EXPANSION; ++k) error *= q;
  const bool leaf = __float_as_uint(c.what.z) != 0xffffffffu;
  // A few bodies cost less than their cell.
  const bool cheap = leaf && !w.is_cell && __float_as_uint(c.what.z) <= 2;
  if (q < rule.ratio && error < w.allowed && !cheap) return acts_as_a_whole;
  if (leaf) return w.is_cell ? is_handed_on : is_summed;
  return w.is_cell && c.what.x <= LARGER * w.radius ? is_handed_on : is_opened;
}

__device__ __forceinline__ void put(unsigned* list, unsigned filled, unsigned lanes, unsigned value) {
  if (lanes >> threadIdx.x % 32 & 1) list[filled + lanes_before(lanes)] = value;
}

/// Writes what is decided into the lists.
__device__ __forceinline__ void list_candidates(FmmLists& s, Walk& w, unsigned& filled, const Candidate& c, int what) {
  const unsigned far = __ballot_sync(~0u, what == acts_as_a_whole),
                 open = __ballot_sync(~0u, what == is_opened),
                 on = __ballot_sync(~0u, what == is_handed_on), near = __ballot_sync(~0u, what == is_summed);
  put(s.far, w.far, far, c.number);
  put(s.stack, filled, open, __float_as_uint(c.what.y));
  put(s.leaf, w.leaves, near, __float_as_uint(c.what.y));
  put(s.leaf_size, w.leaves, near, __float_as_uint(c.what.z));
  if ((on >> threadIdx.x % 32 & 1) && w.on + lanes_before(on) < w.room)
    w.handed[w.on + lanes_before(on)] = c.number;
  w.far += __popc(far), filled += __popc(open), w.leaves += __popc(near), w.on += __popc(on);
  __syncwarp();
}

// ---- sums ----

/// Brings the moments of listed cells into shared memory, a row each.
__device__ __forceinline__ void load_moments(const FmmMemory& f, FmmLists& s, unsigned count) {
  constexpr unsigned words = moment_row / 4;
  float4* const stage = (float4*)s.stage;
  for (unsigned k = threadIdx.x % 32; k < count * words; k += 32) {
    const unsigned row = k / words, word = k % words;
    stage[row * (moment_stride / 4) + word] =
        ((const float4*)f.moment)[(unsigned long long)s.far[row] * words + word];
  }
  __syncwarp();
}

/// Adds the first listed cells, at most 32, to the lanes' series.
__device__ __forceinline__ void add_cells(const TreeMemory& t, const FmmMemory& f, FmmLists& s, Walk& w,
                                          float (&series)[local_terms], float eps2) {
  const unsigned lane = threadIdx.x % 32, count = min(w.far, (unsigned)batch);
  load_moments(f, s, count);
  const unsigned mine = lane < count ? lane : 0;
  const float4 c = t.center[s.far[mine]];
  const float* const moments = s.stage + mine * moment_stride;
  const float3 d = from_center(w, c);
  w.sizes += lane < count ? moments[0] / (squared_length(d) + eps2) : 0;
  add_cell(series, moments, d, c.w, w.radius, lane < count, eps2);
  __syncwarp();
  w.far -= count, w.whole += count;
  if (lane < w.far) s.far[lane] = s.far[batch + lane];
  __syncwarp();
}

__device__ __forceinline__ void begin_bodies(GroupBodies& g, const TreeMemory& t, const WalkedFor& target) {
  g.width = target.count <= 8 ? 8 : target.count <= 16 ? 16 : 32;
  g.two = target.count > 32;
#pragma unroll
  for (unsigned k = 0; k < 2; ++k) {
    const unsigned body = min(threadIdx.x % g.width + 32 * k, max(target.count, 1u) - 1);
    g.here[k] = t.body[target.first + body];
    g.here[k].x -= target.ball.x, g.here[k].y -= target.ball.y, g.here[k].z -= target.ball.z;
    g.sum[k] = make_float3(0, 0, 0);
  }
}

/// Sums the first `count` listed bodies.
__device__ __forceinline__ void sum_bodies(GroupBodies& g, const FmmLists& s, unsigned count,
                                           const Constants& constants) {
  const unsigned share = 32 / g.width;
  if (g.two) {
#pragma unroll 4
    for (unsigned j = 0; j < count; ++j) {
      interact(g.sum[0], g.here[0], s.source[j], constants);
      interact(g.sum[1], g.here[1], s.source[j], constants);
    }
  } else {
#pragma unroll 4
    for (unsigned j = threadIdx.x % 32 / g.width; j < count; j += share)
      interact(g.sum[0], g.here[0], s.source[j], constants);
  }
}

/// Sums the full part of the list; the rest moves to its front.
__device__ __forceinline__ void sum_full_list(GroupBodies& g, FmmLists& s, Walk& w, const Constants& constants) {
  sum_bodies(g, s, summed_sources, constants);
  __syncwarp();
  w.sources -= summed_sources;
  const float4 rest = s.source[summed_sources + threadIdx.x % 32];
  __syncwarp();
  s.source[threadIdx.x % 32] = rest;
  __syncwarp();
}

/// The body number `k` of those of the listed leaves; `before`: how many the leaves before this lane's have.
__device__ __forceinline__ float4 body_in_leaves(const TreeMemory& t, unsigned first, unsigned before, unsigned k,
                                                 unsigned bodies) {
  unsigned leaf = 0;
  for (unsigned step = 16; step > 0; step /= 2) {
    if (__shfl_sync(~0u, before, leaf + step) <= k) leaf += step;
  }
  const unsigned begin = __shfl_sync(~0u, first, leaf), offset = __shfl_sync(~0u, before, leaf);
  return t.body[begin + (k < bodies ? k - offset : 0)];
}

/// Sums the bodies of the first listed leaves, at most 32; the last few bodies wait in the list. The next ones
/// are loaded meanwhile.
__device__ __forceinline__ void sum_leaves(GroupBodies& g, const TreeMemory& t, FmmLists& s, Walk& w,
                                           const Constants& constants) {
  const unsigned lane = threadIdx.x % 32, count = min(w.leaves, (unsigned)batch);
  const unsigned size = lane < count ? s.leaf_size[lane] : 0, first = lane < count ? s.leaf[lane] : 0;
  const unsigned before = sum_of_lanes_before(size), bodies = __shfl_sync(~0u, before + size, 31);
  float4 next = body_in_leaves(t, first, before, lane, bodies);
  for (unsigned done = 0; done < bodies; done += 32) {
    const float4 b = next;
    const unsigned now = min(bodies - done, 32u);
    if (done + 32 < bodies) next = body_in_leaves(t, first, before, done + 32 + lane, bodies);
    if (lane < now)
      s.source[w.sources + lane] = make_float4(b.x - w.center.x, b.y - w.center.y, b.z - w.center.z, b.w);
    w.sources += now;
    __syncwarp();
    if (w.sources >= summed_sources) sum_full_list(g, s, w, constants);
  }
  w.near += bodies;
  w.leaves -= count;
  if (lane < w.leaves) s.leaf[lane] = s.leaf[batch + lane], s.leaf_size[lane] = s.leaf_size[batch + lane];
  __syncwarp();
}

// ---- a node ----

/// Walks. False if more bodies are near than a group may meet.
__device__ __forceinline__ bool walk_all(const TreeMemory& t, const FmmMemory& f, FmmLists& s, const FmmRule& rule,
                                         const Inherited& from, Walk& w, GroupBodies& g, unsigned budget,
                                         const Constants& constants) {
  const float eps2 = constants.softening_squared;
  float series[local_terms];
#pragma unroll
  for (int n = 0; n < local_terms; ++n) series[n] = 0;
  unsigned filled = from.slot == nullptr ? 1 : 0, taken = 0;
  if (filled > 0 && threadIdx.x % 32 == 0) s.stack[0] = 0;  // the root, as the part of a cell
  __syncwarp();
  Candidate next = next_candidates(t, s, from, filled, taken);
  for (bool at_end = false; !at_end;) {
    const Candidate now = next;
    list_candidates(s, w, filled, now, decide(w, rule, now));
    at_end = filled == 0 && taken >= from.cells;
    // These are on their way while the lists are summed.
    if (!at_end) next = next_candidates(t, s, from, filled, taken);
    while (w.far >= (at_end ? 1u : (unsigned)batch)) add_cells(t, f, s, w, series, eps2);
    while (w.leaves >= (at_end ? 1u : (unsigned)batch)) sum_leaves(g, t, s, w, constants);
    if (w.near > budget) return false;
  }
  sum_bodies(g, s, w.sources, constants);
  __syncwarp();
  if (w.whole == 0) return true;
  float* const own = (float*)s.source;
  static_assert(local_row * 4 <= sizeof s.source, "the list of bodies is used again");
  sum_columns(series, s.stage, 32, own);
  __syncwarp();
  for (unsigned n = threadIdx.x % 32; n < local_terms; n += 32) s.local[n] += own[n];
  __syncwarp();
  return true;
}

/// Writes the accelerations of a group.
__device__ __forceinline__ void finish_bodies(const TreeMemory& t, const FmmLists& s, const Walk& w,
                                              const GroupBodies& g, const WalkedFor& target, int sorted,
                                              real* acceleration, const Constants& constants) {
  const float inverse = inverse_or_none(w.radius);
#pragma unroll
  for (unsigned k = 0; k < 2; ++k) {
    if (k > 0 && !g.two) break;
    float3 sum = g.sum[k];
    for (unsigned step = g.width; step < 32; step *= 2) {
      sum.x += __shfl_xor_sync(~0u, sum.x, step);
      sum.y += __shfl_xor_sync(~0u, sum.y, step);
      sum.z += __shfl_xor_sync(~0u, sum.z, step);
    }
    const float4 at = g.here[k];
    const float3 far = pull_of_local(s.local, make_float3(inverse * at.x, inverse * at.y, inverse * at.z));
    const unsigned body = threadIdx.x % 32 + 32 * k;
    if (body < target.count && body % 32 < g.width)
      store_acceleration(acceleration, t.order[sorted][target.first + body],
                         make_real3(sum.x + far.x, sum.y + far.y, Z(sum.z + far.z)), strength(constants));
  }
}

/// Writes the slot of a divided cell, for its parts.
__device__ __forceinline__ void finish_cell(const FmmMemory& f, const FmmLists& s, const Walk& w, unsigned k,
                                            unsigned* slot, float sizes) {
  const unsigned lane = threadIdx.x % 32;
  if (slot != nullptr) {
    for (unsigned n = lane; n < local_row; n += 32) slot[slot_head + n] = __float_as_uint(n < local_terms ? s.local[n] : 0);
    if (lane == 0) slot[0] = w.on <= w.room ? w.on : NO_ROOM, slot[1] = __float_as_uint(sizes);
  }
  __threadfence();
  __syncwarp();
  if (lane == 0) *(volatile unsigned*)&f.ready[k] = 1;
}

#define FMM_PARAMETERS \
  CONSTANTS_PARAMETER TreeMemory t, FmmMemory f, FmmRule rule, int sorted, real *acceleration, unsigned long long *pulls

/// All of a target, which is the node `k` or bodies of it. False if it meets too many bodies.
__device__ bool compute(const TreeMemory& t, const FmmMemory& f, FmmLists& s, const FmmRule& rule, unsigned k,
                        const WalkedFor& target, unsigned budget, int sorted, real* acceleration,
                        unsigned long long* pulls, const Constants& constants) {
  const float eps2 = constants.softening_squared;
  Walk w = {};
  w.center = make_float3(target.ball.x, target.ball.y, target.ball.z);
  w.radius = target.ball.w;
  w.is_cell = target.count == 0;
  unsigned words = slot_cells;
  unsigned* const slot = w.is_cell ? slot_of(f, k, words) : nullptr;
  if (slot != nullptr) w.handed = slot + slot_cells, w.room = words - slot_cells;
  const Inherited from = inherited(f, k);
  const float before = begin_series(t, f, s, w, k, from);
  w.allowed = rule.relative ? rule.alpha * acceleration_of(t, s, w, from, before, eps2) : __uint_as_float(0x7f800000u);
  GroupBodies g;
  begin_bodies(g, t, target);
  if (!walk_all(t, f, s, rule, from, w, g, budget, constants)) return false;
  if (w.is_cell)
    finish_cell(f, s, w, k, slot, before + warp_sum(w.sizes));
  else
    finish_bodies(t, s, w, g, target, sorted, acceleration, constants);
  if (threadIdx.x % 32 == 0) atomicAdd(pulls, (unsigned long long)w.near * target.count + w.whole);
  __syncwarp();
  return true;
}

/// The next number that no warp has taken.
__device__ __forceinline__ unsigned take_next(unsigned* next) {
  unsigned number = 0;
  if (threadIdx.x % 32 == 0) number = atomicAdd(next, 1u);
  return __shfl_sync(~0u, number, 0);
}

// All nodes (which = 0), a warp each; then, body by body, the groups that met too many (which = 1).
extern "C" __global__ void __launch_bounds__(fmm_threads, fmm_blocks) forces(FMM_PARAMETERS, int which) {
  __shared__ FmmLists lists[fmm_threads / 32];
  __shared__ unsigned first[32];
  find_levels(t, first);
  FmmLists& mine = lists[threadIdx.x / 32];
  const unsigned nodes = min(first[most_levels], t.capacity);
  const unsigned end = which == 0 ? nodes : min(f.counters->singles, nodes + t.bodies / group_most) * group_most;
  const float widest = 16 * t.counters->spread;
  for (;;) {
    unsigned k = take_next(which == 0 ? &f.counters->taken : &f.counters->taken_singles), begin = 0, behind = 1;
    if (k >= end) return;
    uint2 whole = make_uint2(0, 0);
    if (which == 1) {
      whole = f.single[k / group_most];
      begin = whole.x + k % group_most, k = whole.y;
      behind = begin + 1;
    }
    const uint4 range = t.range[k];
    const bool is_cell = range.w != 0;
    if (which == 0 && !is_cell) begin = range.x, behind = range.x + range.y;
    if (which == 1 && (begin >= range.x + range.y)) continue;
    const float4 ball = ball_around(t.low[k], t.high[k]);
    while (begin < behind) {
      const unsigned count = is_cell ? 0 : min(behind - begin, (unsigned)group_most);
      WalkedFor target = {ball, begin, count};
      if (which == 1) {
        const float4 body = t.body[begin];
        target.ball = make_float4(body.x, body.y, body.z, 0);
      }
      const unsigned budget = which == 1 || is_cell ? 0xffffffffu : rule.budget;
      // With a body so far away, places relative to the group would lose their digits.
      const bool too_wide = which == 0 && count > 1 && ball.w > widest && widest > 0;
      if ((too_wide || !compute(t, f, mine, rule, k, target, budget, sorted, acceleration, pulls, CONSTANTS)) &&
          threadIdx.x % 32 == 0)
        f.single[atomicAdd(&f.counters->singles, 1u)] = make_uint2(begin, k);
      __syncwarp();
      begin = is_cell ? behind : begin + count;
    }
  }
}
