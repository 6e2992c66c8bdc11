// A warp walks the tree for a group of neighbouring bodies, 32 nodes at a time. What is near is summed body
// by body, what is farther cell by cell, and what is far goes into one series for the whole group. A lane has
// one body of each half of the group: what is near to one half only is summed for that one alone. Lists of a
// warp are in shared memory; nothing depends on which warp is first.

/// The result of a coarse walk.
struct Coarse {
  float4 pull;      // sum of the pulls; their sizes
  unsigned inside;  // bodies of cells whose centers are in the group's box
};

/// Adds a lane's node, or opens it.
template <int BODIES>
__device__ __forceinline__ void meet_coarsely(Coarse& sum, const Group<BODIES>& g, const TreeMemory& t,
                                              WarpLists& w, unsigned& filled, const Node& node,
                                              const TreeWalk& how, float eps2) {
  bool opens = false;
  if (node.is_there) {
    const float4 c = node.center, o = node.opening;
    const bool leaf = __float_as_uint(o.z) != 0xffffffffu;
    const float3 d = from_middle(g, c);
    const float d2 = squared(d);
    opens = !leaf && !(d2 > o.x);
    const bool is_inside = squared_distance(g.half, d) == 0;
    if (!opens && is_inside) sum.inside += leaf ? __float_as_uint(o.z) : t.range[node.number].y;
    if (!opens && !is_inside) {
      // A leaf around the middle pulls as if it were spread over its reach: as a point it would promise a
      // larger acceleration than the bodies have.
      const float u = rsqrtf(fmaxf(d2, o.x) + eps2), pull = c.w * u * u * u;
      sum.pull.x += pull * d.x, sum.pull.y += pull * d.y, sum.pull.z += pull * d.z;
      sum.pull.w += pull * (d2 * u);
    }
  }
  push(w, filled, opens ? both_halves : 0, __float_as_uint(node.opening.y));
}

/// Adds to the acceleration at the group's middle, as sim/cpu/tree/group_walk.cpp: whole cells from
/// their own reach on. Two nodes a lane, so that less time goes by with waiting for them.
template <int BODIES>
__device__ Coarse coarse_walk(const Group<BODIES>& g, const TreeMemory& t, WarpLists& w, const TreeWalk& how,
                              float eps2) {
  Coarse sum = {make_float4(0, 0, 0, 0), 0};
  unsigned filled = begin_stack(t, w);
  while (filled > 0) {
    const Node one = next_nodes(t, w, filled), two = next_nodes(t, w, filled, filled < deep_stack);
    meet_coarsely(sum, g, t, w, filled, one, how, eps2);
    meet_coarsely(sum, g, t, w, filled, two, how, eps2);
  }
  const float4 p = sum.pull;
  return {make_float4(warp_sum(p.x), warp_sum(p.y), warp_sum(p.z), warp_sum(p.w)), warp_sum(sum.inside)};
}

/// The acceleration that errors are relative to.
__device__ __forceinline__ float acceleration_of(const Coarse& coarse) {
  const float4 p = coarse.pull;
  return fmaxf(sqrtf(p.x * p.x + p.y * p.y + p.z * p.z), kept_of_pulls(p.w));
}

/// Classifies a lane's node: for which halves of the group it is a cell, is opened, or a leaf
/// whose bodies are summed.
struct Met {
  unsigned cell, opens, leaf;
  bool is_far;     // a cell for the series of the group
  unsigned third;  // needs_third, or 0
  unsigned down, count;
};

/// Times the squared distance at which a cell leaves out a pull of 1: where that is `alpha` of an
/// acceleration.
__device__ __forceinline__ float distance_allowed(const TreeWalk& how, float acceleration) {
  if (!how.relative) return 1;  // no cell has such a distance
  return exp2f(-how.rule.power * log2f(how.alpha * acceleration));
}

/// Squared distances of a node from a half of the group: from its box, and from most of its bodies
/// (sim/tree/tree_settings.h).
struct Distances {
  float box, most;
};
__device__ __forceinline__ Distances distances(const TreeWalk& how, float3 half, float3 d) {
  const float3 inner =
      make_float3(how.rule.inner_part * half.x, how.rule.inner_part * half.y, how.rule.inner_part * half.z);
  const float box = squared_distance(half, d);
  return {box, distance_that_counts(how.rule, squared_distance(inner, d), box)};
}

/// True if a node at these distances holds no body of the group, and leaves out no more than is allowed.
__device__ __forceinline__ bool is_far_enough(const TreeWalk& how, float4 opening, Distances d2,
                                              float allowed) {
  return is_far_enough(how.rule, d2.box, d2.most, opening.x, opening.w * allowed);
}

/// True if a node that is far enough leaves out no more than is allowed without its third moments, too, for
/// nearly half the price (sim::second_moments_margin). Never for one whose parts are elsewhere.
__device__ __forceinline__ bool second_moments_do(const TreeWalk& how, float4 opening, float most,
                                                  float allowed) {
  const float least = opening.w * allowed, u = rsqrtf(least), times = most * (u * u), times2 = times * times;
  return opening.x >= 0 && times2 * times2 * (times * opening.x) > how.rule.second_margin * least;
}

/// Halves of the group from which a node is far, and the least Distances::most of these.
struct FarHalves {
  unsigned halves;
  float most;
};
template <int BODIES>
__device__ __forceinline__ FarHalves far_halves(const Group<BODIES>& g, const TreeWalk& how, float allowed,
                                                const Node& node, float3 d) {
  FarHalves far = {0, __uint_as_float(0x7f800000u)};
#pragma unroll
  for (int h = 0; h < g.halves; ++h) {
    const Distances d2 = distances(how, g.sides[h], minus(d, g.at[h]));
    if (!is_far_enough(how, node.opening, d2, allowed)) continue;
    far.halves |= g.halves > 1 ? 1u << h : (unsigned)both_halves;
    far.most = fminf(far.most, d2.most);
  }
  return far;
}

template <int BODIES>
__device__ __forceinline__ Met meet(const Group<BODIES>& g, const TreeWalk& how, float allowed,
                                    const Node& node) {
  Met met = {0, 0, 0, false, 0, 0, 0};
  if (!node.is_there) return met;
  const float4 o = node.opening;
  met.down = __float_as_uint(o.y), met.count = __float_as_uint(o.z);
  if (node.center.w == 0) return met;
  const bool leaf = met.count != 0xffffffffu;
  const float3 d = from_middle(g, node.center);
  const FarHalves far =
      leaf && met.count <= bodies_of_a_cell ? FarHalves{0, 0} : far_halves(g, how, allowed, node, d);
  const unsigned near = node.halves & ~far.halves;
  met.cell = node.halves & far.halves, met.opens = leaf ? 0 : near, met.leaf = leaf ? near : 0;
  if (THIRD_CODE && HAS_THIRD(how) && !second_moments_do(how, node.opening, far.most, allowed))
    met.third = needs_third;
  met.is_far = met.cell == both_halves && g.radius2 < how.series * squared(d);
  return met;
}

/// Lists this lane's node: a cell for the series or to be summed, or a leaf whose bodies are. It may be a
/// cell for one half and a leaf for the other.
template <int BODIES>
__device__ __forceinline__ void list_node(Group<BODIES>& g, WarpLists& w, const Met& met, unsigned number) {
  const unsigned far = __ballot_sync(~0u, met.is_far),
                 near = __ballot_sync(~0u, met.cell != 0 && !met.is_far),
                 leaves = __ballot_sync(~0u, met.leaf != 0);
  if (met.is_far) w.far[g.far + place_in(far)] = number;
  if (met.cell != 0 && !met.is_far)
    w.cells[g.cells + place_in(near)] = number << cell_bits | met.third | met.cell;
  if (met.leaf != 0) {
    const unsigned at = g.leaves + place_in(leaves);
    w.leaf[at] = met.down, w.leaf_size[at] = met.count << 2 | met.leaf;
  }
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
  // At the end once more, for bodies that are listed.
  for (bool more = at_end || g.leaves >= enough; more; more = g.leaves >= enough)
    sum_leaves(g, t, w, min(g.leaves, 32u), at_end, constants);
}

/// The outcome for a group: its forces are complete, or it is given up and divided.
enum WalkEnd : int { complete, crowded, over_budget };

/// All forces on a group. It is given up if a crowd is inside its box, as in a sparse halo around a core, or
/// if it meets more than `budget` bodies and cells.
template <int BODIES>
__device__ __forceinline__ WalkEnd walk_group(Group<BODIES>& g, const TreeMemory& t, WarpLists& w,
                                              const TreeWalk& how, unsigned budget,
                                              const Constants& constants) {
  const unsigned lane = threadIdx.x % 32;
  const float eps2 = constants.softening_squared;
  // With a body so far away, places relative to the group would lose their digits.
  const float widest = 16 * t.counters->spread;
  if (BODIES > 1 && g.radius2 > widest * widest) return crowded;
  // A single body has no box, and geometric opening asks for no acceleration.
  const Coarse coarse =
      how.relative || BODIES > 1 ? coarse_walk(g, t, w, how, eps2) : Coarse{make_float4(0, 0, 0, 0), 0};
  if (BODIES > 1 && coarse.inside > crowd) return crowded;
  const float allowed = distance_allowed(how, acceleration_of(coarse));
  for (unsigned k = lane; k < SERIES_TERMS; k += 32) w.series[k] = 0;
  unsigned filled = begin_stack(t, w);
  Node next = next_nodes(t, w, filled);
  for (bool at_end = false; !at_end;) {
    const Node node = next;
    const Met met = meet(g, how, allowed, node);
    push(w, filled, met.opens, met.down);
    at_end = filled == 0;
    list_node(g, w, met, node.number);
    if (g.far > (at_end ? 0u : far_entries - 32u)) add_far_cells(g, t, w, how, eps2);
    if (met_by(g) + g.in_series > budget) return over_budget;
    // These are on their way while the lists are summed.
    if (!at_end) next = next_nodes(t, w, filled);
    sum_lists(g, t, w, how, at_end, constants);
  }
  return complete;
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
    const float3 more = pull_of_series(w.series, from_middle(g, g.here[k]));
    const unsigned body = body_of_lane<BODIES>(k);
    const bool writes =
        body < count && (g.share == 1 || threadIdx.x % 32 < BODIES) && is_active(t, sorted, first + body);
    const real3 total = make_real3(sum.x + more.x, sum.y + more.y, Z(sum.z + more.z));
    if (writes) store_acceleration(acceleration, t.order[sorted][first + body], total, strength(constants));
  }
}

/// Pulls on the `count` bodies of a group. A cell of the series is summed once for all.
template <int BODIES>
__device__ __forceinline__ unsigned long long pulls_of(const Group<BODIES>& g, unsigned count) {
  const unsigned first = g.halves > 1 ? min(count, (unsigned)BODIES / 2) : count;
  return (unsigned long long)g.pulls[0] * first +
         (unsigned long long)g.pulls[g.halves - 1] * (count - first) + g.in_series;
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
  const WalkEnd end = walk_group(g, t, w, how, budget, constants);
  if (end == complete) {
    finish_group(g, t, w, sorted, first, count, acceleration, constants);
    const unsigned long long summed = pulls_of(g, count);
    if (lane == 0) atomicAdd(pulls, summed);
    if (lane == 0 && BODIES <= few_bodies) atomicAdd(&pulls[count_in_parts], summed);
    if (lane == 0 && t.work) atomicAdd(&t.work[first / 32], (unsigned)(summed / 32));
  } else if (lane == 0) {
    atomicAdd(&pulls[level > 0 ? count_parts : end == crowded ? count_crowded : count_over_budget], 1ull);
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

/// A group given up at a level has `parts` parts of `size` bodies: takes the next one. False if all parts of
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

/// Number of groups given up so far, and of those taken: the same for all lanes.
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
