// Forces by fast multipoles. Warps take the nodes of the tree in its order, parents first. A node begins with
// the local series of its parent, moved to its own middle, and with the cells that its parent could not use
// as a whole: each is used now, or opened, or handed on to the node's parts. A leaf opens all, and sums
// bodies. What a node does depends on its parent alone: which warp is first decides nothing.
enum : int {
  popped = 4,        // entries of the stack at a time: the parts of so many cells
  deep_stack = 160,  // from here on one at a time, so that the stack cannot overflow
  stack_entries = 416,
  list_entries = 64,
  batch = 32,           // cells or leaves of a list that are summed together
  source_entries = 64,  // bodies
  slot_head = 4,        // words of a slot in front of the series: cells, or that they do not fit
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
    float4 source[source_entries];  // bodies, relative to the target
    float parent[local_row];
  };
  float local[local_row], own[local_row];
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
  unsigned far, leaves;        // in the lists
  unsigned *handed, room, on;  // to the parts: where to, how many can be, how many are
  unsigned near, whole;        // bodies and cells that were summed
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

/// The local series and cells of a parent; {nullptr, 0}: nothing is done yet, and the root is to be looked
/// at.
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

/// Begins the local series with the parent's.
__device__ __forceinline__ void begin_series(const TreeMemory& t, const FmmMemory& f, FmmLists& s,
                                             const Walk& w, unsigned k, const Inherited& from) {
  const unsigned lane = threadIdx.x % 32;
  if (from.slot == nullptr) {
    for (unsigned n = lane; n < local_row; n += 32) s.local[n] = 0;
    __syncwarp();
    return;
  }
  const unsigned parent = f.parent[k];
  for (unsigned n = lane; n < local_row; n += 32) s.parent[n] = __uint_as_float(from.slot[slot_head + n]);
  __syncwarp();
  const float4 ball = ball_around(t.low[parent], t.high[parent]);
  const float inverse = inverse_or_none(ball.w);
  move_series(s,
              make_float3(inverse * (w.center.x - ball.x), inverse * (w.center.y - ball.y),
                          inverse * (w.center.z - ball.z)),
              inverse > 0 ? inverse * w.radius : 0);
}

// ---- lists ----

/// A node a lane, with what decides about it.
struct Candidate {
  bool is_there;
  unsigned number;
  float4 center, what;  // centre of mass, reach; radius, parts or first body, bodies, mass
};

/// The next nodes: parts of opened cells, or, where there are none, of what was handed on.
__device__ __forceinline__ Candidate next_candidates(const TreeMemory& t, const FmmLists& s,
                                                     const Inherited& from, unsigned& filled,
                                                     unsigned& taken) {
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

__device__ __forceinline__ void put(unsigned* list, unsigned filled, unsigned lanes, unsigned value) {
  if (lanes >> threadIdx.x % 32 & 1) list[filled + lanes_before(lanes)] = value;
}

/// Without a list of the parent's it begins with the root, as if that was the part of a cell.
__device__ __forceinline__ unsigned begin_stack(FmmLists& s, const Inherited& from) {
  if (from.slot == nullptr && threadIdx.x % 32 == 0) s.stack[0] = 0;
  __syncwarp();
  return from.slot == nullptr ? 1 : 0;
}

// ---- decisions ----

/// What is done with a node.
enum : int { is_left_out, acts_as_a_whole, is_opened, is_handed_on, is_summed };
__device__ __forceinline__ int decide(const Walk& w, const FmmRule& rule, const Candidate& c) {
  if (!c.is_there || c.what.w == 0) return is_left_out;
  const float size = c.center.w + rule.stretch * w.radius;
  const float d2 = squared_length(from_center(w, c.center));
  const bool leaf = __float_as_uint(c.what.z) != 0xffffffffu;
  // A few bodies cost less than their cell.
  const bool cheap = leaf && !w.is_cell && __float_as_uint(c.what.z) <= 2;
  if (size * size < rule.ratio * rule.ratio * d2 && !cheap) return acts_as_a_whole;
  if (leaf) return w.is_cell ? is_handed_on : is_summed;
  return w.is_cell && c.what.x <= LARGER * w.radius ? is_handed_on : is_opened;
}

/// Writes what is decided into the lists.
__device__ __forceinline__ void list_candidates(FmmLists& s, Walk& w, unsigned& filled, const Candidate& c,
                                                int what) {
  const unsigned far = __ballot_sync(~0u, what == acts_as_a_whole),
                 open = __ballot_sync(~0u, what == is_opened), on = __ballot_sync(~0u, what == is_handed_on),
                 near = __ballot_sync(~0u, what == is_summed);
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

/// Brings the moments of listed cells into shared memory, a row each; rows behind the last one repeat it. All
/// are on their way at a time.
__device__ __forceinline__ void load_moments(const FmmMemory& f, FmmLists& s, unsigned count) {
  constexpr unsigned words = moment_row / 4;
  float4 loaded[words];
#pragma unroll
  for (unsigned k = 0; k < words; ++k) {
    const unsigned entry = threadIdx.x % 32 + 32 * k, row = min(entry / words, count - 1);
    loaded[k] = ((const float4*)f.moment)[(unsigned long long)s.far[row] * words + entry % words];
  }
#pragma unroll
  for (unsigned k = 0; k < words; ++k) {
    const unsigned entry = threadIdx.x % 32 + 32 * k;
    ((float4*)s.stage)[entry / words * (moment_stride / 4) + entry % words] = loaded[k];
  }
  __syncwarp();
}

/// Adds the first listed cells, at most 32, to the lanes' series.
__device__ __forceinline__ void add_cells(const TreeMemory& t, const FmmMemory& f, FmmLists& s, Walk& w,
                                          float (&series)[local_terms], float eps2) {
  const unsigned lane = threadIdx.x % 32, count = min(w.far, (unsigned)batch);
  const float4 c = t.center[s.far[min(lane, count - 1)]];
  load_moments(f, s, count);
  const float4* const moments = (const float4*)s.stage + lane * (moment_stride / 4);
  const float3 d = from_center(w, c);
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

/// The body number `k` of those of the listed leaves; `before`: how many the leaves before this lane's have.
__device__ __forceinline__ float4 body_in_leaves(const TreeMemory& t, unsigned first, unsigned before,
                                                 unsigned k, unsigned bodies) {
  unsigned leaf = 0;
  for (unsigned step = 16; step > 0; step /= 2) {
    if (__shfl_sync(~0u, before, leaf + step) <= k) leaf += step;
  }
  const unsigned begin = __shfl_sync(~0u, first, leaf), offset = __shfl_sync(~0u, before, leaf);
  return t.body[begin + (k < bodies ? k - offset : 0)];
}

/// Two bodies a lane of those of the listed leaves, behind the first `done`.
struct TwoBodies {
  float4 one, two;
};
__device__ __forceinline__ TwoBodies load_bodies(const TreeMemory& t, unsigned first, unsigned before,
                                                 unsigned done, unsigned bodies) {
  const unsigned k = done + threadIdx.x % 32;
  return {body_in_leaves(t, first, before, k, bodies), body_in_leaves(t, first, before, k + 32, bodies)};
}

/// Sums the bodies of the first listed leaves, at most 32. The next ones are loaded meanwhile.
__device__ __forceinline__ void sum_leaves(GroupBodies& g, const TreeMemory& t, FmmLists& s, Walk& w,
                                           const Constants& constants) {
  const unsigned lane = threadIdx.x % 32, count = min(w.leaves, (unsigned)batch);
  const unsigned size = lane < count ? s.leaf_size[lane] : 0, first = lane < count ? s.leaf[lane] : 0;
  const unsigned before = sum_of_lanes_before(size), bodies = __shfl_sync(~0u, before + size, 31);
  TwoBodies next = load_bodies(t, first, before, 0, bodies);
  for (unsigned done = 0; done < bodies; done += source_entries) {
    const float3 one = from_center(w, next.one), two = from_center(w, next.two);
    s.source[lane] = make_float4(one.x, one.y, one.z, next.one.w);
    s.source[32 + lane] = make_float4(two.x, two.y, two.z, next.two.w);
    if (done + source_entries < bodies) next = load_bodies(t, first, before, done + source_entries, bodies);
    __syncwarp();
    sum_bodies(g, s, min(bodies - done, (unsigned)source_entries), constants);
    __syncwarp();
  }
  w.near += bodies;
  w.leaves -= count;
  if (lane < w.leaves) s.leaf[lane] = s.leaf[batch + lane], s.leaf_size[lane] = s.leaf_size[batch + lane];
  __syncwarp();
}

// ---- a node ----

/// Walks. False if more bodies are near than a group may meet.
__device__ __forceinline__ bool walk_all(const TreeMemory& t, const FmmMemory& f, FmmLists& s,
                                         const FmmRule& rule, const Inherited& from, Walk& w, GroupBodies& g,
                                         unsigned budget, const Constants& constants) {
  const float eps2 = constants.softening_squared;
  float series[local_terms];
#pragma unroll
  for (int n = 0; n < local_terms; ++n) series[n] = 0;
  unsigned filled = begin_stack(s, from), taken = 0;
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
  if (w.whole == 0) return true;
  sum_columns(series, s.stage, 32, s.own);
  for (unsigned n = threadIdx.x % 32; n < local_terms; n += 32) s.local[n] += s.own[n];
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
                                            unsigned* slot) {
  const unsigned lane = threadIdx.x % 32;
  if (slot != nullptr) {
    for (unsigned n = lane; n < local_row; n += 32)
      slot[slot_head + n] = __float_as_uint(n < local_terms ? s.local[n] : 0);
    if (lane == 0) slot[0] = w.on <= w.room ? w.on : NO_ROOM;
  }
  __threadfence();
  __syncwarp();
  if (lane == 0) *(volatile unsigned*)&f.ready[k] = 1;
}

#define FMM_PARAMETERS                                                                         \
  CONSTANTS_PARAMETER TreeMemory t, FmmMemory f, FmmRule rule, int sorted, real *acceleration, \
      unsigned long long *pulls

/// All of a target, which is the node `k` or bodies of it. False if it meets too many bodies.
__device__ bool compute(const TreeMemory& t, const FmmMemory& f, FmmLists& s, const FmmRule& rule, unsigned k,
                        const WalkedFor& target, unsigned budget, int sorted, real* acceleration,
                        unsigned long long* pulls, const Constants& constants) {
  Walk w = {};
  w.center = make_float3(target.ball.x, target.ball.y, target.ball.z);
  w.radius = target.ball.w;
  w.is_cell = target.count == 0;
  unsigned words = slot_cells;
  unsigned* const slot = w.is_cell ? slot_of(f, k, words) : nullptr;
  if (slot != nullptr) w.handed = slot + slot_cells, w.room = words - slot_cells;
  const Inherited from = inherited(f, k);
  begin_series(t, f, s, w, k, from);
  GroupBodies g;
  begin_bodies(g, t, target);
  if (!walk_all(t, f, s, rule, from, w, g, budget, constants)) return false;
  if (w.is_cell)
    finish_cell(f, s, w, k, slot);
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

/// A target of the list, or of what is walked again body by body: its node and bodies [begin, end), none for
/// a divided cell.
struct Taken {
  unsigned node, begin, end;
};

__device__ __forceinline__ Taken take_target(const TreeMemory& t, const FmmMemory& f, unsigned k) {
  const unsigned node = f.target[k];
  const uint4 range = t.range[node];
  return is_divided_target(range, f.group) ? Taken{node, 0, 0} : Taken{node, range.x, range.x + range.y};
}
__device__ __forceinline__ Taken take_single(const TreeMemory& t, const FmmMemory& f, unsigned k) {
  const uint2 group = f.single[k / group_most];
  const uint4 range = t.range[group.y];
  const unsigned begin = group.x + k % group_most;
  return {group.y, begin, min(begin + 1, range.x + range.y)};
}

/// Computes a target, in groups; those that meet too much are noted.
__device__ __forceinline__ void compute_target(const TreeMemory& t, const FmmMemory& f, FmmLists& s,
                                               const FmmRule& rule, const Taken& taken, bool is_single,
                                               int sorted, real* acceleration, unsigned long long* pulls,
                                               const Constants& constants) {
  const float widest = 16 * t.counters->spread;
  const bool is_cell = taken.begin == taken.end;
  const float4 box = ball_around(t.low[taken.node], t.high[taken.node]);
  for (unsigned begin = taken.begin; begin < taken.end || is_cell; begin += group_most) {
    WalkedFor target = {box, begin, is_cell ? 0 : min(taken.end - begin, (unsigned)group_most)};
    if (is_single) {
      const float4 body = t.body[begin];
      target.ball = make_float4(body.x, body.y, body.z, 0);
    }
    // With a body so far away, places relative to the group would lose their digits.
    const bool too_wide = !is_single && target.count > 1 && box.w > widest && widest > 0;
    const unsigned budget = is_single || is_cell ? 0xffffffffu : rule.budget;
    const bool done = !too_wide && compute(t, f, s, rule, taken.node, target, budget, sorted, acceleration,
                                           pulls, constants);
    if (!done && threadIdx.x % 32 == 0)
      f.single[atomicAdd(&f.counters->singles, 1u)] = make_uint2(begin, taken.node);
    __syncwarp();
    if (is_cell) return;
  }
}

// All targets (again = 0), a warp each; then, body by body, the groups that met too many (again = 1).
extern "C" __global__ void __launch_bounds__(fmm_threads, fmm_blocks(EXPANSION))
    forces(FMM_PARAMETERS, int again) {
  __shared__ FmmLists lists[fmm_threads / 32];
  FmmLists& mine = lists[threadIdx.x / 32];
  const unsigned end = again ? f.counters->singles * group_most : f.counters->targets;
  for (;;) {
    const unsigned k = take_next(again ? &f.counters->taken_singles : &f.counters->taken);
    if (k >= end) return;
    const Taken taken = again ? take_single(t, f, k) : take_target(t, f, k);
    if (again && taken.begin >= taken.end) continue;
    compute_target(t, f, mine, rule, taken, again != 0, sorted, acceleration, pulls, CONSTANTS);
  }
}
