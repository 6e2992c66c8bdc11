// A warp walks the tree for a group of neighbouring bodies, 32 nodes at a time. What is near is summed body
// by body, what is farther cell by cell, and what is far goes into one series for the whole group. Lists of a
// warp are in shared memory; nothing depends on which warp is first.
enum : int {
  group_bodies = GROUP,
  half_group = GROUP > 32 ? GROUP / 2 : GROUP,
  popped = 4,        // entries of the stack at a time: the parts of so many cells
  deep_stack = 352,  // from here on one at a time, so that the stack cannot overflow
  stack_entries = 608,
  far_entries = 512,
  near_entries = 64,
  source_entries = 96,
  summed_sources = 64
};

#ifndef NEAR_CODE
#define NEAR_CODE (NEAR == NEAR_TENSOR && __CUDA_ARCH__ >= 800)
#define NEAR_CHOSEN true
#endif

/// Of 32 cells: place relative to the group and mass; 3 x second moments, half of their trace.
struct CellSources {
  float4 place[32], moment[32], more_moment[32];
};

struct WarpLists {
  unsigned stack[stack_entries];  // parts of a cell: first << 3 | (number - 1)
  unsigned far[far_entries];      // cells for the series
  unsigned cells[near_entries];   // cells to be summed
  unsigned leaf[near_entries];    // leaves whose bodies are to be summed: first body
  unsigned leaf_size[near_entries];
#if NEAR_CODE
  union {
    CellSources cell;
    NearProducts near;
  };
  uint2 row[group_bodies][4];  // left sides of the group's bodies
#else
  CellSources cell;
#endif
  float4 source[source_entries];  // bodies, relative to the group
  float series[SERIES_TERMS];
};

/// A group while it walks. Bodies of the group: `count`, in `each` a lane; where there are fewer than 32,
/// lanes share a body and take the sources in turns.
template <int BODIES>
struct Group {
  enum : int { each = BODIES > 32 ? BODIES / 32 : 1, share = BODIES < 32 ? 32 / BODIES : 1 };
  float3 center, half;  // of the box: its middle, half of its sides
  float radius2;
  float4 here[each];
  float3 sum[each];
  unsigned sources, leaves, cells, far;  // in the lists
  unsigned pulls, in_series;             // summed so far for each body; cells in the series
};

/// Lanes before this one in a ballot.
__device__ __forceinline__ unsigned place_in(unsigned ballot) {
  return __popc(ballot & ((1u << threadIdx.x % 32) - 1));
}

template <int BODIES>
__device__ unsigned body_of_lane(int k) {
  return BODIES >= 32 ? threadIdx.x % 32 + 32 * k : threadIdx.x % BODIES;
}

/// Box and middle of the group's bodies; lanes without a body repeat the last one.
template <int BODIES>
__device__ __forceinline__ void begin_group(Group<BODIES>& g, const TreeMemory& t, unsigned first,
                                            unsigned count) {
  for (int k = 0; k < g.each; ++k) {
    g.here[k] = t.body[first + min(body_of_lane<BODIES>(k), count - 1)];
    g.sum[k] = make_float3(0, 0, 0);
  }
  float3 low = make_float3(g.here[0].x, g.here[0].y, g.here[0].z), high = low;
  for (int k = 1; k < g.each; ++k) widen(low, high, g.here[k], g.here[k]);
  low = make_float3(warp_least(low.x), warp_least(low.y), warp_least(low.z));
  high = make_float3(warp_most(high.x), warp_most(high.y), warp_most(high.z));
  g.center = make_float3(0.5f * (low.x + high.x), 0.5f * (low.y + high.y), 0.5f * (low.z + high.z));
  g.half = make_float3(fmaxf(high.x - g.center.x, g.center.x - low.x),
                       fmaxf(high.y - g.center.y, g.center.y - low.y),
                       fmaxf(high.z - g.center.z, g.center.z - low.z));
  g.radius2 = g.half.x * g.half.x + g.half.y * g.half.y + g.half.z * g.half.z;
  for (int k = 0; k < g.each; ++k) {
    g.here[k].x -= g.center.x, g.here[k].y -= g.center.y, g.here[k].z -= g.center.z;
  }
  g.sources = g.leaves = g.cells = g.far = g.pulls = g.in_series = 0;
}

/// Squared distance from the group's box of a point at `d` from its middle.
template <int BODIES>
__device__ __forceinline__ float squared_distance(const Group<BODIES>& g, float3 d) {
  const float x = fmaxf(fabsf(d.x) - g.half.x, 0.0f), y = fmaxf(fabsf(d.y) - g.half.y, 0.0f),
              z = fmaxf(fabsf(d.z) - g.half.z, 0.0f);
  return x * x + y * y + z * z;
}

/// From the middle of the group.
template <int BODIES>
__device__ __forceinline__ float3 from_middle(const Group<BODIES>& g, float4 c) {
  return make_float3(c.x - g.center.x, c.y - g.center.y, c.z - g.center.z);
}

/// Pops the parts of some cells: a node a lane. False for lanes without one.
__device__ __forceinline__ bool pop(const WarpLists& w, unsigned& filled, unsigned& node, bool may) {
  const unsigned lane = threadIdx.x % 32, entry = lane / 8, part = lane % 8;
  const unsigned taken = !may ? 0 : filled > deep_stack ? 1 : min(filled, (unsigned)popped);
  const unsigned word = entry < taken ? w.stack[filled - 1 - entry] : 0;
  filled -= taken;
  node = (word >> 3) + part;
  __syncwarp();
  return entry < taken && part <= (word & 7);
}

__device__ __forceinline__ void push(WarpLists& w, unsigned& filled, bool opens, unsigned parts) {
  const unsigned all = __ballot_sync(~0u, opens);
  if (opens) w.stack[filled + place_in(all)] = parts;
  filled += __popc(all);
  __syncwarp();
}

/// The stack of a walk that begins: the root, and those of other domains' trees.
__device__ __forceinline__ unsigned begin_stack(const TreeMemory& t, WarpLists& w) {
  const unsigned lane = threadIdx.x % 32, roots = t.counters->roots;
  if (lane <= roots) w.stack[lane] = lane == 0 ? 0 : t.counters->root[lane - 1] << 3;
  __syncwarp();
  return 1 + roots;
}

/// A node a lane, with what decides about it.
struct Node {
  bool is_there;
  unsigned number;
  float4 center, opening;
};

/// Takes nodes from the stack and begins to load them.
__device__ __forceinline__ Node next_nodes(const TreeMemory& t, const WarpLists& w, unsigned& filled,
                                           bool may = true) {
  Node node;
  node.is_there = pop(w, filled, node.number, may);
  // Always loaded: a value that is there for some lanes only keeps its registers through the whole walk.
  if (!node.is_there) node.number = 0;
  node.center = t.center[node.number], node.opening = t.opening[node.number];
  return node;
}

/// What a coarse walk finds.
struct Coarse {
  float4 pull;      // sum of the pulls; their sizes
  unsigned inside;  // bodies of cells whose centers are in the group's box
};

/// Adds a lane's node, or opens it.
template <int BODIES>
__device__ __forceinline__ void meet_coarsely(Coarse& sum, const Group<BODIES>& g, const TreeMemory& t,
                                              WarpLists& w, unsigned& filled, const Node& node, float eps2) {
  bool opens = false;
  if (node.is_there) {
    const float4 c = node.center, o = node.opening;
    const bool leaf = __float_as_uint(o.z) != 0xffffffffu;
    const float3 d = from_middle(g, c);
    const float d2 = squared(d);
    opens = !leaf && !(d2 > o.x);
    const bool is_inside = squared_distance(g, d) == 0;
    if (!opens && is_inside) sum.inside += leaf ? __float_as_uint(o.z) : t.range[node.number].y;
    if (!opens && !is_inside) {
      const float u = rsqrtf(d2 + eps2), pull = o.w * u * u * u;
      sum.pull.x += pull * d.x, sum.pull.y += pull * d.y, sum.pull.z += pull * d.z;
      sum.pull.w += pull * sqrtf(d2);
    }
  }
  push(w, filled, opens, __float_as_uint(node.opening.y));
}

/// What the acceleration of the group's middle is about, as sim/cpu/tree/group_walk.cpp: whole cells from
/// their own reach on. Two nodes a lane, so that less time goes by with waiting for them.
template <int BODIES>
__device__ Coarse coarse_walk(const Group<BODIES>& g, const TreeMemory& t, WarpLists& w, float eps2) {
  Coarse sum = {make_float4(0, 0, 0, 0), 0};
  unsigned filled = begin_stack(t, w);
  while (filled > 0) {
    const Node one = next_nodes(t, w, filled), two = next_nodes(t, w, filled, filled < deep_stack);
    meet_coarsely(sum, g, t, w, filled, one, eps2);
    meet_coarsely(sum, g, t, w, filled, two, eps2);
  }
  const float4 p = sum.pull;
  return {make_float4(warp_sum(p.x), warp_sum(p.y), warp_sum(p.z), warp_sum(p.w)), warp_sum(sum.inside)};
}

/// Where pulls cancel a hundredth of their sum counts instead.
__device__ __forceinline__ float acceleration_of(const Coarse& coarse) {
  const float4 p = coarse.pull;
  return fmaxf(sqrtf(p.x * p.x + p.y * p.y + p.z * p.z), 0.01f * p.w);
}

/// Sums listed bodies.
template <int BODIES>
__device__ __forceinline__ void sum_sources(Group<BODIES>& g, const WarpLists& w, int count,
                                            const Constants& constants) {
  const int turn = g.share > 1 ? threadIdx.x % 32 / BODIES : 0;
  if (count == summed_sources) {
#pragma unroll 8
    for (int j = turn; j < summed_sources; j += g.share) {
      const float4 source = w.source[j];
#pragma unroll
      for (int k = 0; k < g.each; ++k) interact(g.sum[k], g.here[k], source, constants);
    }
  } else {
    for (int j = turn; j < count; j += g.share) {
      const float4 source = w.source[j];
#pragma unroll
      for (int k = 0; k < g.each; ++k) interact(g.sum[k], g.here[k], source, constants);
    }
  }
  g.pulls += count;
}

/// The first listed leaves, one a lane, and how many bodies those before it have.
struct Leaves {
  unsigned first, before, bodies;  // `bodies`: of all
};
__device__ __forceinline__ Leaves listed_leaves(const WarpLists& w, unsigned count) {
  const unsigned lane = threadIdx.x % 32, size = lane < count ? w.leaf_size[lane] : 0;
  const unsigned before = sum_of_lanes_before(size);
  return {lane < count ? w.leaf[lane] : 0, before, __shfl_sync(~0u, before + size, 31)};
}

/// Body number `k` of those of the leaves.
__device__ __forceinline__ float4 body_of_leaves(const TreeMemory& t, const Leaves& leaves, unsigned k) {
  unsigned leaf = 0;
  for (unsigned step = 16; step > 0; step /= 2) {
    if (__shfl_sync(~0u, leaves.before, leaf + step) <= k) leaf += step;
  }
  const unsigned first = __shfl_sync(~0u, leaves.first, leaf), before = __shfl_sync(~0u, leaves.before, leaf);
  return t.body[first + (k < leaves.bodies ? k - before : 0)];
}

/// The unit of lengths of a group for products on tensor cores; 0: there is none.
template <int BODIES>
__device__ __forceinline__ float scale_of(const Group<BODIES>& g, float eps2) {
  const float scale = rsqrtf(fmaxf(g.radius2, eps2));
  return scale < 1e15f ? scale : 0;
}

/// Left sides of the group's bodies, where there are as many as two tiles.
template <int BODIES>
__device__ __forceinline__ void write_rows(const Group<BODIES>& g, WarpLists& w, float eps2) {
#if NEAR_CODE
  if (BODIES < 32 || !NEAR_CHOSEN) return;
  const float scale = scale_of(g, eps2);
  for (int k = 0; k < g.each; ++k) {
    const float4 at = g.here[k];
    write_row(w.row[body_of_lane<BODIES>(k)], make_float3(scale * at.x, scale * at.y, scale * at.z));
  }
  __syncwarp();
#endif
}

/// Sums a full list of sources; what is behind stays.
template <int BODIES>
__device__ __forceinline__ void sum_full_sources(Group<BODIES>& g, WarpLists& w, const Constants& constants) {
  const unsigned lane = threadIdx.x % 32;
  bool summed = false;
#if NEAR_CODE
  if constexpr (BODIES >= 32) {
    const float eps2 = constants.softening_squared, scale = scale_of(g, eps2);
    summed = NEAR_CHOSEN && scale > 0 && add_near(g.sum, g.here, w.near, w.row, w.source, scale, eps2);
    if (summed) g.pulls += summed_sources;
  }
#endif
  if (!summed) sum_sources(g, w, summed_sources, constants);
  __syncwarp();
  g.sources -= summed_sources;
  const float4 rest = w.source[summed_sources + min(lane, (unsigned)(source_entries - summed_sources - 1))];
  __syncwarp();
  if (lane < g.sources) w.source[lane] = rest;
  __syncwarp();
}

/// Sums the bodies of the first `count` listed leaves, at most 32; the last few wait in the list of sources.
/// The next ones are loaded meanwhile.
template <int BODIES>
__device__ __forceinline__ void sum_leaves(Group<BODIES>& g, const TreeMemory& t, WarpLists& w,
                                           unsigned count, const Constants& constants) {
  const unsigned lane = threadIdx.x % 32;
  const Leaves leaves = listed_leaves(w, count);
  float4 next = body_of_leaves(t, leaves, lane);
  for (unsigned done = 0; done < leaves.bodies; done += 32) {
    const float4 b = next;
    const unsigned now = min(leaves.bodies - done, 32u);
    if (done + 32 < leaves.bodies) next = body_of_leaves(t, leaves, done + 32 + lane);
    if (lane < now)
      w.source[g.sources + lane] = make_float4(b.x - g.center.x, b.y - g.center.y, b.z - g.center.z, b.w);
    g.sources += now;
    __syncwarp();
    if (g.sources >= summed_sources) sum_full_sources(g, w, constants);
  }
  g.leaves -= count;
  if (lane < g.leaves) w.leaf[lane] = w.leaf[32 + lane], w.leaf_size[lane] = w.leaf_size[32 + lane];
  __syncwarp();
}

/// The pull of a cell with its second moments: of the direction and the distance, so that no power of a large
/// one overflows.
__device__ __forceinline__ void pull_of_cell(float3& sum, float4 here, float4 place, float4 q, float4 r,
                                             float eps2) {
  const float dx = place.x - here.x, dy = place.y - here.y, dz = place.z - here.z;
  const float u = rsqrtf(dx * dx + (dy * dy + (dz * dz + eps2)));
  const float x = dx * u, y = dy * u, z = dz * u, u2 = u * u, u4 = u2 * u2;
  const float sx = q.x * x + q.y * y + q.z * z, sy = q.y * x + q.w * y + r.x * z,
              sz = q.z * x + r.x * y + r.y * z;
  const float rr = sx * x + sy * y + sz * z;
  const float along = place.w * u2 + u4 * (2.5f * rr - r.z);
  sum.x += along * x - u4 * sx;
  sum.y += along * y - u4 * sy;
  sum.z += along * z - u4 * sz;
}

/// That of its mass alone.
__device__ __forceinline__ void pull_of_mass(float3& sum, float4 here, float4 place, float eps2) {
  const float dx = place.x - here.x, dy = place.y - here.y, dz = place.z - here.z;
  const float u = rsqrtf(dx * dx + (dy * dy + (dz * dz + eps2))), along = place.w * u * (u * u);
  sum.x += along * dx, sum.y += along * dy, sum.z += along * dz;
}

/// Sums the first `count` listed cells, at most 32.
template <int BODIES>
__device__ __forceinline__ void sum_cells(Group<BODIES>& g, const TreeMemory& t, WarpLists& w,
                                          const TreeWalk& how, unsigned count, float eps2) {
  const unsigned lane = threadIdx.x % 32;
  if (lane < count) {
    const unsigned node = w.cells[lane];
    const float4 c = t.center[node];
    const float2 r = t.more_moment[node];
    const float4 q = t.moment[node];
    w.cell.place[lane] = make_float4(c.x - g.center.x, c.y - g.center.y, c.z - g.center.z, t.opening[node].w);
    w.cell.moment[lane] = q;
    w.cell.more_moment[lane] = make_float4(r.x, r.y, 0.5f * (q.x + q.w + r.y), 0);
  }
  __syncwarp();
  const unsigned turn = g.share > 1 ? lane / BODIES : 0;
  for (unsigned j = turn; !how.quadrupoles && j < count; j += g.share) {
    const float4 place = w.cell.place[j];
#pragma unroll
    for (int k = 0; k < g.each; ++k) pull_of_mass(g.sum[k], g.here[k], place, eps2);
  }
  for (unsigned j = turn; how.quadrupoles && j < count; j += g.share) {
    const float4 place = w.cell.place[j], q = w.cell.moment[j], r = w.cell.more_moment[j];
#pragma unroll
    for (int k = 0; k < g.each; ++k) pull_of_cell(g.sum[k], g.here[k], place, q, r, eps2);
  }
  g.pulls += count;
  __syncwarp();
  g.cells -= count;
  if (lane < g.cells) w.cells[lane] = w.cells[32 + lane];
  __syncwarp();
}

/// Adds the listed far cells to the series.
template <int BODIES>
__device__ __forceinline__ void add_far_cells(Group<BODIES>& g, const TreeMemory& t, WarpLists& w,
                                              float eps2) {
  const unsigned lane = threadIdx.x % 32;
  float terms[SERIES_TERMS];
#pragma unroll
  for (int k = 0; k < SERIES_TERMS; ++k) terms[k] = 0;
  for (unsigned j = lane; j < g.far; j += 32) {
    const unsigned node = w.far[j];
    const float4 c = t.center[node];
    add_to_series(terms, from_middle(g, c), t.opening[node].w, t.moment[node], t.more_moment[node], eps2);
  }
#pragma unroll
  for (int k = 0; k < SERIES_TERMS; ++k) {
    const float sum = warp_sum(terms[k]);
    if (lane == 0) w.series[k] += sum;
  }
  g.in_series += g.far;
  g.far = 0;
  __syncwarp();
}

/// What the walk does with a lane's node.
struct Met {
  bool is_cell, is_far, opens, is_leaf;
  unsigned down, count;
};

/// True if a node at this squared distance leaves out no more than is allowed.
__device__ __forceinline__ bool is_far_enough(const TreeWalk& how, float4 center, float4 opening, float d2,
                                              float allowed) {
  const float inverse = rsqrtf(d2), fourth = inverse * inverse * (inverse * inverse);
  const float left_out = center.w * (how.quadrupoles ? fourth * inverse : fourth);
  return d2 > opening.x && left_out < allowed;
}

template <int BODIES>
__device__ __forceinline__ Met meet(const Group<BODIES>& g, const TreeWalk& how, float allowed,
                                    const Node& node) {
  Met met = {false, false, false, false, 0, 0};
  if (!node.is_there) return met;
  const float4 c = node.center, o = node.opening;
  met.down = __float_as_uint(o.y), met.count = __float_as_uint(o.z);
  const bool leaf = met.count != 0xffffffffu, has_mass = o.w != 0;
  const float3 d = from_middle(g, c);
  const float d2 = squared_distance(g, d);
  // A cell costs as much as three bodies.
  met.is_cell = has_mass && is_far_enough(how, c, o, d2, allowed) && !(leaf && met.count <= 3);
  met.opens = has_mass && !met.is_cell && !leaf;
  met.is_leaf = has_mass && !met.is_cell && leaf;
  met.is_far = g.radius2 < how.series * squared(d);
  return met;
}

/// Appends the value of some lanes to a list.
__device__ __forceinline__ void append(unsigned* list, unsigned filled, unsigned lanes, unsigned value) {
  if (lanes >> threadIdx.x % 32 & 1) list[filled + place_in(lanes)] = value;
}

/// Lists this lane's node: a cell for the series or to be summed, or a leaf whose bodies are.
template <int BODIES>
__device__ __forceinline__ void list_node(Group<BODIES>& g, WarpLists& w, const Met& met, unsigned number) {
  const unsigned far = __ballot_sync(~0u, met.is_cell && met.is_far),
                 near = __ballot_sync(~0u, met.is_cell && !met.is_far),
                 leaves = __ballot_sync(~0u, met.is_leaf);
  append(w.far, g.far, far, number);
  append(w.cells, g.cells, near, number);
  append(w.leaf, g.leaves, leaves, met.down);
  append(w.leaf_size, g.leaves, leaves, met.count);
  g.far += __popc(far);
  g.cells += __popc(near);
  g.leaves += __popc(leaves);
  __syncwarp();
}

/// Sums lists of near cells and leaves that are long; at the end all.
template <int BODIES>
__device__ __forceinline__ void sum_lists(Group<BODIES>& g, const TreeMemory& t, WarpLists& w,
                                          const TreeWalk& how, bool at_end, const Constants& constants) {
  const unsigned enough = at_end ? 1 : 32;
  while (g.cells >= enough) sum_cells(g, t, w, how, min(g.cells, 32u), constants.softening_squared);
  while (g.leaves >= enough) sum_leaves(g, t, w, min(g.leaves, 32u), constants);
}

/// All pulls on a group; false if it is given up: a crowd is inside its box, as in a sparse halo around a
/// core, or it meets more than `budget` bodies and cells.
template <int BODIES>
__device__ __forceinline__ bool walk_group(Group<BODIES>& g, const TreeMemory& t, WarpLists& w,
                                           const TreeWalk& how, unsigned budget, const Constants& constants) {
  const unsigned lane = threadIdx.x % 32;
  const float eps2 = constants.softening_squared;
  // With a body so far away, places relative to the group would lose their digits.
  const float widest = 16 * t.counters->spread;
  if (BODIES > 1 && g.radius2 > widest * widest) return false;
  // A single body has no box, and geometric opening asks for no acceleration.
  const Coarse coarse =
      how.relative || BODIES > 1 ? coarse_walk(g, t, w, eps2) : Coarse{make_float4(0, 0, 0, 0), 0};
  if (BODIES > 1 && coarse.inside > crowd) return false;
  const float allowed = how.relative ? how.alpha * acceleration_of(coarse) : __uint_as_float(0x7f800000u);
  write_rows(g, w, eps2);
  for (unsigned k = lane; k < SERIES_TERMS; k += 32) w.series[k] = 0;
  unsigned filled = begin_stack(t, w);
  Node next = next_nodes(t, w, filled);
  for (bool at_end = false; !at_end;) {
    const Node node = next;
    const Met met = meet(g, how, allowed, node);
    push(w, filled, met.opens, met.down);
    at_end = filled == 0;
    list_node(g, w, met, node.number);
    if (g.far > (at_end ? 0u : far_entries - 32u)) add_far_cells(g, t, w, eps2);
    if (g.pulls + g.in_series > budget) return false;
    // These are on their way while the lists are summed.
    if (!at_end) next = next_nodes(t, w, filled);
    sum_lists(g, t, w, how, at_end, constants);
  }
  sum_sources(g, w, g.sources, constants);
  return true;
}

/// True if this body of the order is to be computed.
__device__ __forceinline__ bool is_active(const TreeMemory& t, int sorted, unsigned k) {
  return !t.level || t.level[t.order[sorted][k]] >= t.least_level;
}
/// True if one of these is: for a whole warp.
__device__ __forceinline__ bool any_active(const TreeMemory& t, int sorted, unsigned first, unsigned count) {
  bool is = !t.level;
  for (unsigned k = threadIdx.x % 32; k < count && !is; k += 32) is = is_active(t, sorted, first + k);
  return __ballot_sync(~0u, is) != 0;
}

/// Adds the series, what lanes of one body have, and writes the accelerations.
template <int BODIES>
__device__ __forceinline__ void finish_group(Group<BODIES>& g, const TreeMemory& t, const WarpLists& w,
                                             int sorted, unsigned first, unsigned count, real* acceleration,
                                             const Constants& constants) {
#pragma unroll
  for (int k = 0; k < g.each; ++k) {
    float3 sum = g.sum[k];
    for (int step = 32 / g.share; step < 32; step *= 2) {
      sum.x += __shfl_xor_sync(~0u, sum.x, step);
      sum.y += __shfl_xor_sync(~0u, sum.y, step);
      sum.z += __shfl_xor_sync(~0u, sum.z, step);
    }
    const float3 more = pull_of_series(w.series, make_float3(g.here[k].x, g.here[k].y, g.here[k].z));
    const unsigned body = body_of_lane<BODIES>(k);
    const bool writes =
        body < count && (g.share == 1 || threadIdx.x % 32 < BODIES) && is_active(t, sorted, first + body);
    const real3 total = make_real3(sum.x + more.x, sum.y + more.y, Z(sum.z + more.z));
    if (writes) store_acceleration(acceleration, t.order[sorted][first + body], total, strength(constants));
  }
}

/// The bodies [first, first + count) of the order; noted as stragglers `level` if they meet too many.
template <int BODIES>
__device__ __forceinline__ void compute_group(const TreeMemory& t, WarpLists& w, const TreeWalk& how,
                                              int sorted, unsigned first, unsigned count, unsigned budget,
                                              int level, real* acceleration, unsigned long long* pulls,
                                              const Constants& constants) {
  if (!any_active(t, sorted, first, count)) return;
  Group<BODIES> g;
  begin_group(g, t, first, count);
  const unsigned lane = threadIdx.x % 32;
  if (walk_group(g, t, w, how, budget, constants)) {
    finish_group(g, t, w, sorted, first, count, acceleration, constants);
    // A cell of the series is summed once for the group.
    const unsigned long long summed = (unsigned long long)g.pulls * count + g.in_series;
    if (lane == 0) atomicAdd(pulls, summed);
    if (lane == 0 && t.work) atomicAdd(&t.work[first / 32], (unsigned)(summed / 32));
  } else if (lane == 0) {
    // One more: no entry is 0.
    *(volatile unsigned*)&t.straggler[level][atomicAdd(&t.counters->stragglers[level], 1u)] = first + 1;
  }
  __syncwarp();
}

#define WALK_PARAMETERS \
  CONSTANTS_PARAMETER TreeMemory t, TreeWalk how, int sorted, real *acceleration, unsigned long long *pulls

/// The next number that no warp has taken.
__device__ __forceinline__ unsigned take(unsigned* next) {
  unsigned number = 0;
  if (threadIdx.x % 32 == 0) number = atomicAdd(next, 1u);
  return __shfl_sync(~0u, number, 0);
}

/// What is given up at a level has `parts` parts of `size` bodies: takes the next one. False if all parts of
/// the `known` ones are taken; `taken` were when the counters were read.
__device__ __forceinline__ bool take_part(const TreeMemory& t, int level, unsigned known, unsigned taken,
                                          unsigned parts, unsigned size, unsigned& begin, unsigned& behind) {
  if (taken >= known * parts) return false;
  bool has = false;
  if (threadIdx.x % 32 == 0) {
    while (taken < known * parts && !has) {
      const unsigned found = atomicCAS(&t.counters->parts[level], taken, taken + 1);
      has = found == taken;
      if (!has) taken = found;
    }
    if (has) {
      // Counted, but perhaps not yet written.
      volatile unsigned* whole = t.straggler[level] + taken / parts;
      while (*whole == 0) {
      }
      begin = *whole - 1, behind = taken % parts * size;
    }
  }
  begin = __shfl_sync(~0u, begin, 0), behind = __shfl_sync(~0u, behind, 0);
  return __shfl_sync(~0u, has ? 1u : 0u, 0) != 0;
}

/// What was given up so far, and how much of it is taken: the same for all lanes.
__device__ __forceinline__ uint4 given_up(const TreeMemory& t) {
  uint4 now = make_uint4(0, 0, 0, 0);
  // Volatile: after what this warp itself has given up.
  if (threadIdx.x % 32 == 0) {
    volatile unsigned* counters = t.counters->stragglers;
    now = make_uint4(counters[0], counters[1], counters[2], counters[3]);
  }
  return make_uint4(__shfl_sync(~0u, now.x, 0), __shfl_sync(~0u, now.y, 0), __shfl_sync(~0u, now.z, 0),
                    __shfl_sync(~0u, now.w, 0));
}

// Groups, a warp each, which takes the next one when it is done: first those of the full size, at the end
// half ones, so that no warp works alone for long. Groups that are given up are walked again by few_bodies,
// and these by one, as soon as a warp is free. A warp that gives up the last one walks its parts itself.
extern "C" __global__ void __launch_bounds__(walk_threads, walk_blocks) forces(WALK_PARAMETERS) {
  __shared__ WarpLists lists[walk_threads / 32];
  WarpLists& mine = lists[threadIdx.x / 32];
  const unsigned full = how.whole / group_bodies;
  const unsigned groups = full + (t.bodies - how.whole + half_group - 1) / half_group;
  unsigned begin = 0, behind = 0;
  for (bool groups_left = true;;) {
    const uint4 now = given_up(t);
    if (take_part(t, 1, now.y, now.w, few_bodies, 1, begin, behind)) {
      if (begin + behind < t.bodies)
        compute_group<1>(t, mine, how, sorted, begin + behind, 1, 0xffffffffu, 1, acceleration, pulls,
                         CONSTANTS);
    } else if (take_part(t, 0, now.x, now.z, (unsigned)group_bodies / few_bodies, few_bodies, begin,
                         behind)) {
      const unsigned first = begin + behind;
      // A half group has half of the parts.
      if (first < t.bodies && (begin < how.whole || behind < half_group))
        compute_group<few_bodies>(t, mine, how, sorted, first, min(t.bodies - first, (unsigned)few_bodies),
                                  how.budget, 1, acceleration, pulls, CONSTANTS);
    } else if (groups_left) {
      const unsigned k = take(&t.counters->groups);
      groups_left = k < groups;
      if (k < full) {
        compute_group<group_bodies>(t, mine, how, sorted, k * group_bodies, group_bodies, how.budget, 0,
                                    acceleration, pulls, CONSTANTS);
      } else if (groups_left) {
        const unsigned first = how.whole + (k - full) * half_group;
        compute_group<half_group>(t, mine, how, sorted, first, min(t.bodies - first, (unsigned)half_group),
                                  how.budget, 0, acceleration, pulls, CONSTANTS);
      }
    } else {
      return;
    }
  }
}
