// What a warp of the tree's walk has: a group of neighbouring bodies, and lists of what they are still to
// meet.
/// Sizes of groups and lists.
enum : int {
  group_bodies = GROUP,
  half_group = GROUP > 32 ? GROUP / 2 : GROUP,
  popped = 4,        // entries of the stack at a time: the parts of so many cells
  deep_stack = 352,  // from here on one at a time, so that the stack cannot overflow
  stack_entries = 608,
  far_entries = 512,
  near_entries = 64,
  source_entries = 96,
  summed_sources = 64,
  source_step = 8,
  group_halves = GROUP > 32 ? 2 : 1,
  both_halves = 3  // of a group, a bit each
};

/// A cell that is listed for halves of the group: its number, whether its third moments count, the halves.
constexpr unsigned cell_bits = 3, needs_third = 4;

/// Of 32 cells: place relative to the group and mass; 3 x second moments, half of their trace; third moments
/// (the last number of `more_moment` is xzz).
struct CellSources {
  float4 place[32], moment[32], more_moment[32];
#if THIRD_CODE
  float4 third[2][32];
#endif
};

/// The lists of a warp: nodes that it still has to visit, and sources that it is about to sum.
struct WarpLists {
  unsigned stack[stack_entries];     // parts of a cell: first << 5 | halves << 3 | (number - 1)
  unsigned far[far_entries];         // cells for the series
  unsigned cells[near_entries];      // cells to be summed: node << cell_bits | needs_third | halves
  unsigned leaf[near_entries];       // leaves whose bodies are to be summed: first body
  unsigned leaf_size[near_entries];  // how many << 2 | halves
  CellSources cell;
  float4 source[group_halves][source_entries];  // bodies for each half
  float series[SERIES_TERMS];
};

/// A group while it walks. Bodies of the group: `count`, in `each` a lane, the first half of them of the
/// first half of the group; where there are fewer than 32, lanes share a body and take the sources in turns.
template <int BODIES>
struct Group {
  enum : int {
    each = BODIES > 32 ? BODIES / 32 : 1,
    share = BODIES < 32 ? 32 / BODIES : 1,
    halves = each > 1 ? 2 : 1,
    each_half = each / halves  // bodies of a half in a lane
  };
  float3 center, half;               // of the box: its middle, half of its sides
  float3 at[halves], sides[halves];  // the same of the boxes of its halves, from the middle
  float radius2;
  // As they are: a close pair in a group that is wide would lose its distance, if both were rounded from the
  // middle.
  float4 here[each];
  float3 sum[each];
  unsigned leaves, cells, far, sources[halves];  // in the lists
  unsigned pulls[halves], in_series;             // summed so far for each body; cells in the series
};

/// Interactions per body so far, on average.
template <int BODIES>
__device__ __forceinline__ unsigned met_by(const Group<BODIES>& g) {
  return g.halves > 1 ? (g.pulls[0] + g.pulls[g.halves - 1]) / 2 : g.pulls[0];
}

/// Lanes before this one in a ballot.
__device__ __forceinline__ unsigned place_in(unsigned ballot) {
  return __popc(ballot & ((1u << threadIdx.x % 32) - 1));
}

/// The k-th body of a lane, counted from the group's first.
template <int BODIES>
__device__ unsigned body_of_lane(int k) {
  return BODIES >= 32 ? threadIdx.x % 32 + 32 * k : threadIdx.x % BODIES;
}

/// The box around the bodies of a half.
template <int BODIES>
__device__ __forceinline__ void box_of_half(const Group<BODIES>& g, int h, float3& low, float3& high) {
  const float4 first = g.here[h * g.each_half];
  low = make_float3(first.x, first.y, first.z), high = low;
  for (int k = 1; k < g.each_half; ++k)
    widen(low, high, g.here[h * g.each_half + k], g.here[h * g.each_half + k]);
  low = make_float3(warp_least(low.x), warp_least(low.y), warp_least(low.z));
  high = make_float3(warp_most(high.x), warp_most(high.y), warp_most(high.z));
}

/// The middle of a box.
__device__ __forceinline__ float3 middle_of(float3 low, float3 high) {
  return make_float3(0.5f * (low.x + high.x), 0.5f * (low.y + high.y), 0.5f * (low.z + high.z));
}
/// From the middle to the farther border, and more than what rounding takes off the distance of a cell at the
/// border: no cell with a body of the group may seem to be outside of its reach.
__device__ __forceinline__ float3 half_sides(float3 middle, float3 low, float3 high) {
  return make_float3(rounded_out(fmaxf(high.x - middle.x, middle.x - low.x)),
                     rounded_out(fmaxf(high.y - middle.y, middle.y - low.y)),
                     rounded_out(fmaxf(high.z - middle.z, middle.z - low.z)));
}
__device__ __forceinline__ float3 minus(float3 a, float3 b) {
  return make_float3(a.x - b.x, a.y - b.y, a.z - b.z);
}

/// The boxes of the group and of its halves.
template <int BODIES>
__device__ __forceinline__ void find_boxes(Group<BODIES>& g) {
  float3 low[Group<BODIES>::halves], high[Group<BODIES>::halves];
  for (int h = 0; h < g.halves; ++h) box_of_half(g, h, low[h], high[h]);
  float3 least = low[0], most = high[0];
  for (int h = 1; h < g.halves; ++h) {
    least = make_float3(fminf(least.x, low[h].x), fminf(least.y, low[h].y), fminf(least.z, low[h].z));
    most = make_float3(fmaxf(most.x, high[h].x), fmaxf(most.y, high[h].y), fmaxf(most.z, high[h].z));
  }
  g.center = middle_of(least, most);
  g.half = half_sides(g.center, least, most);
  for (int h = 0; h < g.halves; ++h) {
    // From the middle: rounded as bodies are, so that none is outside.
    low[h] = minus(low[h], g.center), high[h] = minus(high[h], g.center);
    g.at[h] = middle_of(low[h], high[h]);
    g.sides[h] = half_sides(g.at[h], low[h], high[h]);
  }
}

/// Boxes and middle of the group's bodies; lanes without a body repeat the last one.
template <int BODIES>
__device__ __forceinline__ void begin_group(Group<BODIES>& g, const TreeMemory& t, unsigned first,
                                            unsigned count) {
  for (int k = 0; k < g.each; ++k) {
    g.here[k] = t.body[first + min(body_of_lane<BODIES>(k), count - 1)];
    g.sum[k] = make_float3(0, 0, 0);
  }
  find_boxes(g);
  g.radius2 = g.half.x * g.half.x + g.half.y * g.half.y + g.half.z * g.half.z;
  g.leaves = g.cells = g.far = g.in_series = 0;
  for (int h = 0; h < g.halves; ++h) g.sources[h] = g.pulls[h] = 0;
}

/// Squared distance of a point at `d` from the middle of a box with these half sides.
__device__ __forceinline__ float squared_distance(float3 half, float3 d) {
  const float x = fmaxf(fabsf(d.x) - half.x, 0.0f), y = fmaxf(fabsf(d.y) - half.y, 0.0f),
              z = fmaxf(fabsf(d.z) - half.z, 0.0f);
  return x * x + y * y + z * z;
}

/// From the middle of the group.
template <int BODIES>
__device__ __forceinline__ float3 from_middle(const Group<BODIES>& g, float4 c) {
  return make_float3(c.x - g.center.x, c.y - g.center.y, c.z - g.center.z);
}

/// An entry of the stack: the parts that a node's word names (write_node), for these halves of the group.
__device__ __forceinline__ unsigned stack_word(unsigned parts, unsigned halves) {
  return (parts & ~7u) << 2 | halves << 3 | (parts & 7);
}
/// The stack of a walk that begins: the root, and those of other domains' trees.
__device__ __forceinline__ unsigned begin_stack(const TreeMemory& t, WarpLists& w) {
  const unsigned lane = threadIdx.x % 32, roots = t.counters->roots;
  if (lane <= roots) w.stack[lane] = stack_word(lane == 0 ? 0 : t.counters->root[lane - 1] << 3, both_halves);
  __syncwarp();
  return 1 + roots;
}

/// Pops the parts of some cells: a node a lane, and the halves of the group that it is for. False for lanes
/// without one.
__device__ __forceinline__ bool pop(const WarpLists& w, unsigned& filled, unsigned& node, unsigned& halves,
                                    bool may) {
  const unsigned lane = threadIdx.x % 32, entry = lane / 8, part = lane % 8;
  const unsigned taken = !may ? 0 : filled > deep_stack ? 1 : min(filled, (unsigned)popped);
  const unsigned word = entry < taken ? w.stack[filled - 1 - entry] : 0;
  filled -= taken;
  node = (word >> 5) + part, halves = word >> 3 & both_halves;
  __syncwarp();
  return entry < taken && part <= (word & 7);
}

/// Pushes a lane's parts for these halves; 0: for none.
__device__ __forceinline__ void push(WarpLists& w, unsigned& filled, unsigned halves, unsigned parts) {
  const unsigned all = __ballot_sync(~0u, halves != 0);
  if (halves != 0) w.stack[filled + place_in(all)] = stack_word(parts, halves);
  filled += __popc(all);
  __syncwarp();
}

/// A node a lane, with what decides about it.
struct Node {
  bool is_there;
  unsigned number, halves;
  float4 center, opening;
};

/// Takes nodes from the stack and begins to load them.
__device__ __forceinline__ Node next_nodes(const TreeMemory& t, const WarpLists& w, unsigned& filled,
                                           bool may = true) {
  Node node;
  node.is_there = pop(w, filled, node.number, node.halves, may);
  // Always loaded: a value that is there for some lanes only keeps its registers through the whole walk.
  if (!node.is_there) node.number = 0;
  node.center = t.center[node.number], node.opening = t.opening[node.number];
  return node;
}
