// The numbers of a tree's cells: mass, centre of mass, second moments and the smallest box, from the leaves
// upwards. Eight lanes a cell, each with some of its bodies or with one of its parts. Leaves are all of a
// launch, cells of another one: lanes that have weighed the last part of a cell go on with the cell (Karras,
// "Maximizing parallelism in the construction of BVHs", 2012), which sums all of its parts in their order,
// whichever was last.

// Third moments (order=octupole) are in the code only where they are asked for: the walk without them is as
// fast as before. (One program that emulates the GPU has both: then TreeWalk says which.)
#ifndef THIRD_CODE
#define THIRD_CODE THIRD_MOMENTS
#define HAS_THIRD(how) true
#endif

/// Third moments about a point, without traces. Those with two z follow: sums over equal indices are 0.
struct ThirdSums {
  double xxx, xxy, xxz, xyy, xyz, yyy, yyz;
};

/// Adds a mass at this place with second moments q about its own centre: d_i Q_jk + d_j Q_ik + d_k Q_ij with
/// Q = q + m d d / 3, less a fifth of ([ij] t_k + [ik] t_j + [jk] t_i), t the sums over equal indices.
__device__ __forceinline__ void add_third(ThirdSums& s, double m, double x, double y, double z,
                                          const SecondSums& q) {
  const double third = m * (1.0 / 3), xx = q.xx + third * x * x, xy = q.xy + third * x * y,
               xz = q.xz + third * x * z, yy = q.yy + third * y * y, yz = q.yz + third * y * z,
               zz = q.zz + third * z * z;
  const double trace = xx + yy + zz;
  const double tx = 0.2 * (x * trace + 2 * (xx * x + xy * y + xz * z)),
               ty = 0.2 * (y * trace + 2 * (xy * x + yy * y + yz * z)),
               tz = 0.2 * (z * trace + 2 * (xz * x + yz * y + zz * z));
  s.xxx += 3 * (x * xx - tx), s.yyy += 3 * (y * yy - ty);
  s.xxy += 2 * x * xy + y * xx - ty, s.xxz += 2 * x * xz + z * xx - tz;
  s.xyy += 2 * y * xy + x * yy - tx, s.yyz += 2 * y * yz + z * yy - tz;
  s.xyz += x * yz + y * xz + z * xy;
}

/// Sums over what a cell holds, about a point of it.
struct CellSums {
  double mass, x, y, z;
  SecondSums second;
#if THIRD_CODE
  ThirdSums third;
#endif
};
__device__ __forceinline__ void add_mass(CellSums& s, double m, double x, double y, double z) {
  s.mass += m;
  s.x += m * x, s.y += m * y, s.z += m * z;
  add_second(s.second, m, x, y, z);
}
/// Second moments as the walk has them.
__device__ __forceinline__ SecondSums second_of(float4 q, float2 r) {
  return {q.x * (1.0 / 3), q.y * (1.0 / 3), q.z * (1.0 / 3),
          q.w * (1.0 / 3), r.x * (1.0 / 3), r.y * (1.0 / 3)};
}
/// Adds a body's third moments.
__device__ __forceinline__ void add_third_of_body(CellSums& s, double m, double x, double y, double z) {
#if THIRD_CODE
  add_third(s.third, m, x, y, z, SecondSums{});
#endif
}
/// Adds those of a part whose centre is there.
__device__ __forceinline__ void add_third_of_part(CellSums& s, const TreeMemory& t, unsigned part, double m,
                                                  double x, double y, double z) {
#if THIRD_CODE
  add_third(s.third, m, x, y, z, second_of(t.moment[part], t.more_moment[part]));
  const float4 a = t.third[0][part], b = t.third[1][part];
  const double unit = b.w * (1 / 7.5);
  s.third.xxx += unit * a.x, s.third.xxy += unit * a.y, s.third.xxz += unit * a.z;
  s.third.xyy += unit * a.w, s.third.xyz += unit * b.x;
  s.third.yyy += unit * b.y, s.third.yyz += unit * b.z;
#endif
}
/// Writes the third moments of a cell, whose centre is at this place of its sums.
__device__ __forceinline__ void write_third(const TreeMemory& t, unsigned k, const CellSums& s, double x,
                                            double y, double z, float reach) {
#if THIRD_CODE
  ThirdSums own = s.third;
  add_third(own, -s.mass, x, y, z,
            {s.x * x - s.second.xx, s.x * y - s.second.xy, s.x * z - s.second.xz, s.y * y - s.second.yy,
             s.y * z - s.second.yz, s.z * z - s.second.zz});
  const double unit = reach > 0 ? 7.5 / reach : 0;
  t.third[0][k] = make_float4((float)(unit * own.xxx), (float)(unit * own.xxy), (float)(unit * own.xxz),
                              (float)(unit * own.xyy));
  t.third[1][k] =
      make_float4((float)(unit * own.xyz), (float)(unit * own.yyy), (float)(unit * own.yyz), reach);
#endif
}

__device__ __forceinline__ double sum_of_lanes(double x) {
  for (int step = lanes_of_node / 2; step > 0; step /= 2) x += __shfl_xor_sync(~0u, x, step);
  return x;
}
__device__ __forceinline__ float least_of_lanes(float x) {
  for (int step = lanes_of_node / 2; step > 0; step /= 2) x = fminf(x, __shfl_xor_sync(~0u, x, step));
  return x;
}
__device__ __forceinline__ float most_of_lanes(float x) { return -least_of_lanes(-x); }
/// Adds up what the lanes of a cell have.
__device__ __forceinline__ void join_lanes(CellSums& s, float3& low, float3& high) {
  s.mass = sum_of_lanes(s.mass);
  s.x = sum_of_lanes(s.x), s.y = sum_of_lanes(s.y), s.z = sum_of_lanes(s.z);
  SecondSums& q = s.second;
  q.xx = sum_of_lanes(q.xx), q.xy = sum_of_lanes(q.xy), q.xz = sum_of_lanes(q.xz);
  q.yy = sum_of_lanes(q.yy), q.yz = sum_of_lanes(q.yz), q.zz = sum_of_lanes(q.zz);
#if THIRD_CODE
  ThirdSums& r = s.third;
  r.xxx = sum_of_lanes(r.xxx), r.xxy = sum_of_lanes(r.xxy), r.xxz = sum_of_lanes(r.xxz);
  r.xyy = sum_of_lanes(r.xyy), r.xyz = sum_of_lanes(r.xyz);
  r.yyy = sum_of_lanes(r.yyy), r.yyz = sum_of_lanes(r.yyz);
#endif
  low = make_float3(least_of_lanes(low.x), least_of_lanes(low.y), least_of_lanes(low.z));
  high = make_float3(-least_of_lanes(-high.x), -least_of_lanes(-high.y), -least_of_lanes(-high.z));
}

/// The squared distance at which a cell of that reach leaves out a pull of 1: M b^n / d^(n + 2), n = 2 behind
/// its mass, 3 behind its second moments, 4 behind third ones. (By logarithms: no power overflows. Never 0:
/// nothing is far where nothing may be left out.)
__device__ __forceinline__ float distance_as_a_whole(const TreeWalk& how, float mass, float reach) {
  return fmaxf(1e-30f, exp2f(how.rule.power * log2f(how.rule.caution * mass) +
                             (2 - 2 * how.rule.power) * log2f(reach)));
}

/// The centre of mass of a cell whose sums are about `at`; of its box where nothing in it has mass.
__device__ __forceinline__ float3 center_of(const CellSums& s, float4 at, float3 low, float3 high) {
  if (s.mass == 0)
    return make_float3(0.5f * (low.x + high.x), 0.5f * (low.y + high.y), 0.5f * (low.z + high.z));
  const double inverse = 1 / s.mass;
  return make_float3((float)(at.x + s.x * inverse), (float)(at.y + s.y * inverse),
                     (float)(at.z + s.z * inverse));
}

__device__ __forceinline__ float squared_distance_between(float3 a, float4 b) {
  const float x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
  return x * x + y * y + z * z;
}

/// Writes what a walk reads of a node with so many parts; 0: a leaf. The sums are about `at`, and all bodies
/// are within `reach` of `c`, its centre. `whose`: its part_of.
__device__ void write_node(const TreeMemory& t, const TreeWalk& how, unsigned k, uint4 range, unsigned parts,
                           const CellSums& s, float3 c, float reach, float3 low, float3 high,
                           unsigned whose) {
  const bool has_mass = s.mass != 0;
  const double inverse = has_mass ? 1 / s.mass : 0;
  const double dx = s.x * inverse, dy = s.y * inverse, dz = s.z * inverse;
  const float mass = (float)s.mass;
  const double times = how.quadrupoles ? 3 : 0;
  const SecondSums& q = s.second;
  t.moment[k] = make_float4((float)(times * (q.xx - s.x * dx)), (float)(times * (q.xy - s.x * dy)),
                            (float)(times * (q.xz - s.x * dz)), (float)(times * (q.yy - s.y * dy)));
  t.more_moment[k] = make_float2((float)(times * (q.yz - s.y * dz)), (float)(times * (q.zz - s.z * dz)));
  t.low[k] = make_float4(low.x, low.y, low.z, __uint_as_float(whose));
  t.high[k] = make_float4(high.x, high.y, high.z, 0);
  const float rx = fmaxf(c.x - low.x, high.x - c.x), ry = fmaxf(c.y - low.y, high.y - c.y);
  const float rz = fmaxf(c.z - low.z, high.z - c.z);
  // Rounded up: a cell of one body has no size, and bodies at its border are not outside.
  const float reach2 = rounded_out(fminf(reach * reach, rx * rx + ry * ry + rz * rz));
  reach = sqrtf(reach2);
  if (HAS_THIRD(how)) write_third(t, k, s, dx, dy, dz, reach);
  float whole = distance_as_a_whole(how, mass, reach);
  if (!how.relative) {
    const float side = fmaxf(high.x - low.x, fmaxf(high.y - low.y, high.z - low.z));
    const float ox = c.x - 0.5f * (low.x + high.x), oy = c.y - 0.5f * (low.y + high.y),
                oz = c.z - 0.5f * (low.z + high.z);
    const float open = side * how.inverse_theta + sqrtf(ox * ox + oy * oy + oz * oz);
    whole = how.inverse_theta > 0 ? open * open : __uint_as_float(0x7f800000u);
  }
  const unsigned down = parts == 0 ? range.x : range.z << 3 | (parts - 1);
  t.center[k] = make_float4(c.x, c.y, c.z, mass);
  t.opening[k] =
      make_float4(reach2, __uint_as_float(down), __uint_as_float(parts == 0 ? range.y : 0xffffffffu), whole);
}

/// The first of the lanes that have this lane's cell, and what they vote for.
__device__ __forceinline__ unsigned first_of_lanes() {
  return threadIdx.x % 32 / lanes_of_node * lanes_of_node;
}
__device__ __forceinline__ unsigned ballot_of_lanes(bool vote) {
  return __ballot_sync(~0u, vote) >> first_of_lanes() & ((1u << lanes_of_node) - 1);
}

/// The cell that a node is a part of, or no_cell, and what the node's part_of says itself.
struct Parent {
  unsigned cell, word;
};
__device__ __forceinline__ Parent parent_of(const TreeMemory& t, unsigned k) {
  // A cell has no more parts than lanes: one of these nodes is its first one.
  const unsigned lane = threadIdx.x % lanes_of_node, word = lane <= k ? part_of(t, k - lane) : later_part;
  const unsigned knows = ballot_of_lanes(word != later_part), first = first_of_lanes();
  const unsigned cell = __shfl_sync(~0u, word, first + (knows != 0 ? __ffs(knows) - 1 : 0));
  return {knows != 0 ? cell : no_cell, __shfl_sync(~0u, word, first)};
}

/// Counts bodies of a cell that are weighed now. The cell, if they are the last ones, or no_cell.
__device__ __forceinline__ unsigned weighed(const TreeMemory& t, unsigned cell, unsigned bodies) {
  unsigned last = no_cell;
  if (threadIdx.x % lanes_of_node == 0 && cell != no_cell) {
    const unsigned all = t.range[cell].y;
    __threadfence();
    if (atomicAdd((unsigned*)&t.high[cell].w, bodies) + bodies == all) {
      __threadfence();
      last = cell;
    }
  }
  __syncwarp();
  return __shfl_sync(~0u, last, first_of_lanes());
}

/// The range of bodies of a node; empty, and no leaf, after the last one.
__device__ __forceinline__ uint4 range_of(const TreeMemory& t, unsigned k, unsigned nodes) {
  return k < nodes ? t.range[k] : make_uint4(0, 0, 0, 1);
}

// The leaves. (All lanes of a warp go through the loop as often.)
extern "C" __global__ void __launch_bounds__(weigh_threads) tree_weigh_leaves(TreeMemory t, TreeWalk how) {
  __shared__ unsigned first[32];
  find_levels(t, first);
  constexpr unsigned cells = weigh_threads / lanes_of_node;
  const unsigned nodes = min(first[most_levels], t.capacity), lane = threadIdx.x % lanes_of_node;
  // Two counters: where one follows from the other the compiler takes more registers.
  unsigned k = blockIdx.x * cells + threadIdx.x / lanes_of_node;
  uint4 next = range_of(t, k, nodes);
  for (unsigned begin = blockIdx.x * cells; begin < nodes; begin += gridDim.x * cells) {
    uint4 range = next;
    next = range_of(t, k + gridDim.x * cells, nodes);
    const bool is_leaf = range.w == 0;
    if (!is_leaf) range.y = 0;
    const Parent parent = parent_of(t, is_leaf ? k : 0);
    const float4 at = range.y > 0 ? t.body[range.x] : make_float4(0, 0, 0, 0);
    float3 low = make_float3(at.x, at.y, at.z), high = low;
    CellSums sums = {};
    for (unsigned j = range.x + lane; j < range.x + range.y; j += lanes_of_node) {
      const float4 b = t.body[j];
      widen(low, high, b, b);
      const double x = (double)b.x - at.x, y = (double)b.y - at.y, z = (double)b.z - at.z;
      add_mass(sums, b.w, x, y, z);
      if (HAS_THIRD(how)) add_third_of_body(sums, b.w, x, y, z);
    }
    join_lanes(sums, low, high);
    const float3 c = center_of(sums, at, low, high);
    float squared = 0;
    for (unsigned j = range.x + lane; j < range.x + range.y; j += lanes_of_node)
      squared = fmaxf(squared, squared_distance_between(c, t.body[j]));
    const float reach = sqrtf(most_of_lanes(squared));
    if (is_leaf && lane == 0) {
      write_node(t, how, k, range, 0, sums, c, reach, low, high, parent.word);
      if (parent.cell != no_cell) atomicAdd((unsigned*)&t.high[parent.cell].w, range.y);
    }
    k += gridDim.x * cells;
  }
}

/// The parts of a cell: how many, which follow each other in its bodies, and whether all are leaves. (Behind
/// the last one are nodes of other bodies, or of the next level, of which the first does not begin behind
/// it.)
struct Parts {
  unsigned count;
  bool leaves;
};
__device__ __forceinline__ Parts parts_of(const TreeMemory& t, uint4 range, unsigned nodes) {
  const unsigned lane = threadIdx.x % lanes_of_node, part = range.z + lane;
  const uint4 its = t.range[min(part, nodes - 1)];
  const unsigned before = __shfl_up_sync(~0u, its.x, 1, lanes_of_node);
  const bool is_one = part < nodes && its.x > before && its.x < range.x + range.y;
  const unsigned count = __ffs(~ballot_of_lanes(lane == 0 || is_one)) - 1;
  return {count, ballot_of_lanes(lane < count && its.w != 0) == 0};
}

/// A cell by its parts; none for no_cell. The cell around it if nothing else of it is missing, or no_cell.
__device__ __forceinline__ unsigned weigh_cell(const TreeMemory& t, const TreeWalk& how, unsigned cell,
                                               unsigned nodes) {
  const bool is_there = cell != no_cell;
  const unsigned k = is_there ? cell : 0, lane = threadIdx.x % lanes_of_node;
  const uint4 range = t.range[k];
  const Parent parent = parent_of(t, k);
  const unsigned parts = parts_of(t, range, nodes).count;
  const bool has = is_there && lane < parts;
  const unsigned part = range.z + (has ? lane : 0);
  const float4 at = t.center[range.z], l = t.low[part], h = t.high[part];
  float3 low = make_float3(l.x, l.y, l.z), high = make_float3(h.x, h.y, h.z);
  CellSums sums = {};
  // Parts of no cell may not have been weighed.
  const float4 c = has ? t.center[part] : make_float4(0, 0, 0, 0);
  const float its_reach2 = has ? t.opening[part].x : 0;
  if (has) {
    const double x = (double)c.x - at.x, y = (double)c.y - at.y, z = (double)c.z - at.z;
    add_mass(sums, c.w, x, y, z);
    add_second(sums.second, second_of(t.moment[part], t.more_moment[part]));
    if (HAS_THIRD(how)) add_third_of_part(sums, t, part, c.w, x, y, z);
  }
  join_lanes(sums, low, high);
  const float3 middle = center_of(sums, at, low, high);
  const float farthest = sqrtf(squared_distance_between(middle, c)) + sqrtf(its_reach2);
  const float reach = most_of_lanes(has ? farthest : 0);
  if (is_there && lane == 0) {
    write_node(t, how, k, range, parts, sums, middle, reach, low, high, parent.word);
    t.range[k].w = parts;
  }
  return weighed(t, is_there ? parent.cell : no_cell, range.y);
}

// The other cells, from those on that have leaves only.
extern "C" __global__ void __launch_bounds__(weigh_threads) tree_weigh(TreeMemory t, TreeWalk how) {
  __shared__ unsigned first[32];
  find_levels(t, first);
  constexpr unsigned cells = weigh_threads / lanes_of_node;
  const unsigned nodes = min(first[most_levels], t.capacity);
  for (unsigned begin = blockIdx.x * cells; begin < nodes; begin += gridDim.x * cells) {
    const unsigned k = begin + threadIdx.x / lanes_of_node;
    const uint4 range = range_of(t, k, nodes);
    const bool has_leaves = parts_of(t, range, nodes).leaves;
    unsigned cell = k < nodes && range.w != 0 && has_leaves ? k : no_cell;
    while (__ballot_sync(~0u, cell != no_cell) != 0) cell = weigh_cell(t, how, cell, nodes);
  }
}
