// One galaxy on several GPUs: each has the tree of its own bodies, a stretch of the curve, and gets of the
// others' trees what its bodies need (M. S. Warren, J. K. Salmon, Supercomputing 1992). What is sent depends
// on the bodies alone: places are scans.

/// Sums of a warp's lanes, joined over the block by its first thread.
struct PieceSums {
  float3 low, high;
  double mass, x, y, z;
};
__device__ __forceinline__ void sum_of_warp(PieceSums& s) {
  s.low = make_float3(warp_least(s.low.x), warp_least(s.low.y), warp_least(s.low.z));
  s.high = make_float3(warp_most(s.high.x), warp_most(s.high.y), warp_most(s.high.z));
  s.mass = warp_sum(s.mass);
  s.x = warp_sum(s.x), s.y = warp_sum(s.y), s.z = warp_sum(s.z);
}
__device__ __forceinline__ void join(PieceSums& s, const PieceSums& other) {
  s.low = make_float3(fminf(s.low.x, other.low.x), fminf(s.low.y, other.low.y), fminf(s.low.z, other.low.z));
  s.high = make_float3(fmaxf(s.high.x, other.high.x), fmaxf(s.high.y, other.high.y),
                       fmaxf(s.high.z, other.high.z));
  s.mass += other.mass, s.x += other.x, s.y += other.y, s.z += other.z;
}

__device__ __forceinline__ float4* piece_of(const TreeDomains& d, unsigned domain, unsigned piece) {
  return d.piece + ((size_t)domain * domain_pieces + piece) * piece_numbers;
}

/// The domain that has a place on the curve.
__device__ __forceinline__ unsigned domain_of(const TreeCurve& curve, sort_key key) {
  unsigned domain = 0;
  for (unsigned k = 1; k < curve.domains; ++k) domain += key >= curve.begin[k] ? 1 : 0;
  return domain;
}

// Who computes each body, and how many of a tile go to each other domain.
extern "C" __global__ void __launch_bounds__(domain_threads)
    domain_owners(BODIES_PARAMETER(bodies), TreeLeavers l, TreeCurve curve, int key_bits) {
  BODIES(bodies);
  __shared__ CurveTurns turns;
  __shared__ unsigned counts[most_domains];
  if (threadIdx.x < most_domains) counts[threadIdx.x] = 0;
  find_turns(turns);
  const CurveGrid grid =
      curve_grid(make_float3(curve.center[0], curve.center[1], curve.center[2]), curve.spread, turns);
  for (unsigned j = threadIdx.x; j < domain_tile; j += domain_threads) {
    const unsigned i = blockIdx.x * domain_tile + j;
    if (i >= l.bodies) break;
    const unsigned owner = domain_of(curve, curve_key(grid, get_position(bodies, i), key_bits));
    l.owner[i] = (unsigned char)owner;
    if (owner != curve.own) atomicAdd(&counts[owner], 1u);
  }
  __syncthreads();
  if (threadIdx.x < curve.domains) l.before[threadIdx.x * l.tiles + blockIdx.x] = counts[threadIdx.x];
}

// Lists those that go.
extern "C" __global__ void __launch_bounds__(domain_threads)
    domain_emigrants(BODIES_PARAMETER(bodies), TreeLeavers l, TreeCurve curve) {
  BODIES(bodies);
  __shared__ unsigned of_warps[domain_threads / 32];
  constexpr unsigned each = domain_tile / domain_threads;
  const unsigned tile = blockIdx.x, first = tile * domain_tile + threadIdx.x * each;
  unsigned list = 0;
  for (unsigned domain = 0; domain < curve.domains; ++domain) {
    const unsigned* const before = l.before + domain * l.tiles + tile;
    const unsigned end = tile + 1 < l.tiles ? before[1] : l.total[domain];
    if (end > before[0]) {
      unsigned count = 0;
      for (unsigned j = 0; j < each; ++j)
        count += first + j < l.bodies && l.owner[first + j] == domain ? 1 : 0;
      unsigned place = list + before[0] + sum_before(count, of_warps);
      for (unsigned j = 0; count > 0 && j < each; ++j) {
        const unsigned i = first + j;
        if (i >= l.bodies || l.owner[i] != domain) continue;
        const real4 x = get_position(bodies, i);
        l.body[place] = i;
        l.leaving[place++] = make_float4(x.x, x.y, x.z, x.w);
      }
    }
    list += l.total[domain];
  }
}

// The accelerations that came back.
extern "C" __global__ void __launch_bounds__(domain_threads)
    domain_return(TreeLeavers l, real* acceleration, index_t count) {
  const index_t k = blockIdx.x * domain_threads + threadIdx.x;
  if (k >= count) return;
  for (int axis = 0; axis < 3; ++axis) acceleration[3ull * l.body[k] + axis] = l.returned[3ull * k + axis];
}

// The grid of the keys is that of all domains: their cells fit together, and each is one piece of the curve.
extern "C" __global__ void __launch_bounds__(32) domain_grid(TreeMemory t, TreeCurve curve) {
  if (threadIdx.x < 3) t.counters->center[threadIdx.x] = curve.center[threadIdx.x];
  if (threadIdx.x == 3) t.counters->spread = curve.spread;
}

/// The bodies of a block's piece: the first, and the one behind the last. No group is in two pieces.
__device__ __forceinline__ uint2 bodies_of_piece(const TreeMemory& t, const TreeDomains& d) {
  const unsigned first = min(blockIdx.x * d.piece_bodies, t.bodies);
  return make_uint2(first, first + min(d.piece_bodies, t.bodies - first));
}

// Boxes, centres and masses of runs of this domain's groups: a block a run.
extern "C" __global__ void __launch_bounds__(domain_threads) domain_boxes(TreeMemory t, TreeDomains d) {
  __shared__ PieceSums of_warps[domain_threads / 32];
  const unsigned first = bodies_of_piece(t, d).x, end = bodies_of_piece(t, d).y;
  float4* const piece = piece_of(d, d.own, blockIdx.x);
  if (first == end) {
    if (threadIdx.x < piece_numbers) piece[threadIdx.x] = make_float4(0, 0, 0, 0);
    return;
  }
  const float infinite = __uint_as_float(0x7f800000u);
  PieceSums s = {
      make_float3(infinite, infinite, infinite), make_float3(-infinite, -infinite, -infinite), 0, 0, 0, 0};
  for (unsigned k = first + threadIdx.x; k < end; k += domain_threads) {
    const float4 b = t.body[k];
    join(s, {make_float3(b.x, b.y, b.z), make_float3(b.x, b.y, b.z), b.w, (double)b.w * b.x,
             (double)b.w * b.y, (double)b.w * b.z});
  }
  sum_of_warp(s);
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = s;
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (int w = 1; w < domain_threads / 32; ++w) join(s, of_warps[w]);
  const double inverse = s.mass != 0 ? 1 / s.mass : 0;
  piece[0] = make_float4(s.low.x, s.low.y, s.low.z, 0);
  piece[1] = make_float4(s.high.x, s.high.y, s.high.z, (float)(end - first));
  piece[2] =
      make_float4((float)(s.x * inverse), (float)(s.y * inverse), (float)(s.z * inverse), (float)s.mass);
}

/// Adds a piece's pull on a point, as if its mass were spread over it: the sum of the pulls, and of their
/// sizes.
__device__ __forceinline__ void add_pull(float4& sum, float3 point, const float4* piece, float eps2) {
  const float4 low = piece[0], high = piece[1], c = piece[2];
  if (high.w == 0) return;
  const float3 size = make_float3(high.x - low.x, high.y - low.y, high.z - low.z);
  const float3 d = make_float3(c.x - point.x, c.y - point.y, c.z - point.z);
  const float d2 = squared(d), u = rsqrtf(d2 + (eps2 + 0.0625f * squared(size)));
  const float pull = c.w * u * u * u;
  if (!(pull > 0)) return;
  sum.x += pull * d.x, sum.y += pull * d.y, sum.z += pull * d.z;
  sum.w += pull * sqrtf(d2);
}

/// The corners of a piece's box, then its centre of mass.
__device__ __forceinline__ float3 point_of(const float4* piece, int k) {
  const float4 low = piece[0], high = piece[1], c = piece[2];
  if (k == points_of_piece - 1) return make_float3(c.x, c.y, c.z);
  return make_float3(k & 1 ? high.x : low.x, k & 2 ? high.y : low.y, k & 4 ? high.z : low.z);
}

/// Of all pieces on some point of one: for a whole warp.
__device__ __forceinline__ float acceleration_at(const TreeDomains& d, float3 point, float eps2) {
  float4 sum = make_float4(0, 0, 0, 0);
  for (unsigned j = threadIdx.x % 32; j < d.domains * domain_pieces; j += 32)
    add_pull(sum, point, piece_of(d, 0, j), eps2);
  return acceleration_of(
      {make_float4(warp_sum(sum.x), warp_sum(sum.y), warp_sum(sum.z), warp_sum(sum.w)), 0});
}

// What a cell may leave out in a piece of another domain: alpha of about the least acceleration there, by the
// pulls of all pieces. A warp a piece of each domain.
extern "C" __global__ void __launch_bounds__(mark_threads)
    domain_pulls(CONSTANTS_PARAMETER TreeDomains d, TreeWalk how) {
  const unsigned number = blockIdx.x * (mark_threads / 32) + threadIdx.x / 32;
  float4* const piece = piece_of(d, 0, number);
  if (number / domain_pieces == d.own || piece[1].w == 0) return;
  const float infinite = __uint_as_float(0x7f800000u);
  float least = infinite;
  for (int k = 0; how.relative && k < points_of_piece; ++k)
    least = fminf(least, acceleration_at(d, point_of(piece, k), CONSTANTS.softening_squared));
  // Between these points it may be weaker.
  constexpr float caution = 0.5f;
  if (threadIdx.x % 32 == 0) piece[0].w = distance_allowed(how, least < infinite ? caution * least : 0);
}

/// True if a node cannot be taken as a whole in all of a domain's pieces: for a whole warp.
__device__ __forceinline__ bool is_near_to(const TreeDomains& d, const TreeWalk& how, unsigned domain,
                                           float4 c, float4 o) {
  for (unsigned begin = 0; begin < domain_pieces; begin += 32) {
    const float4* const piece = piece_of(d, domain, begin + threadIdx.x % 32);
    const float4 low = piece[0], high = piece[1];
    const float x = outside(c.x, low.x, high.x), y = outside(c.y, low.y, high.y),
                z = outside(c.z, low.z, high.z);
    const float d2 = x * x + y * y + z * z;
    if (__ballot_sync(~0u, high.w > 0 && !is_far_enough(how, o, {d2, d2}, low.w)) != 0) return true;
  }
  return false;
}

__device__ __forceinline__ bool is_leaf(float4 opening) { return __float_as_uint(opening.z) != 0xffffffffu; }

/// Decides who opens a node, and with that who gets its parts: a warp a node.
__device__ __forceinline__ void mark_node(const TreeMemory& t, const TreeDomains& d, const TreeWalk& how,
                                          unsigned k) {
  const unsigned lane = threadIdx.x % 32, others = (~0u >> (32 - d.domains)) & ~(1u << d.own);
  const unsigned needs = k == 0 ? others : d.needs[k];
  if (needs == 0) return;
  const float4 c = t.center[k], o = t.opening[k];
  unsigned opens = 0;
  for (unsigned left = c.w != 0 ? needs : 0; left != 0; left &= left - 1) {
    const unsigned domain = __ffs(left) - 1;
    if (is_near_to(d, how, domain, c, o)) opens |= 1u << domain;
  }
  const unsigned down = __float_as_uint(o.y);
  if (!is_leaf(o) && lane <= (down & 7)) d.needs[(down >> 3) + lane] = opens;
  __syncwarp();
  if (lane == 0) d.opens[k] = opens;
  if (lane == 0 && k == 0) d.needs[k] = needs;
}

// The nodes of levels [level, end), from above: of one level by many blocks, or of several by one block.
// Needs and opens begin as zeros.
extern "C" __global__ void __launch_bounds__(mark_threads)
    domain_mark(TreeMemory t, TreeDomains d, TreeWalk how, int level, int end) {
  __shared__ unsigned first[32];
  find_levels(t, first);
  constexpr unsigned warps = mark_threads / 32;
  for (; level < end; ++level) {
    const unsigned last = min(first[level + 1], t.capacity);
    for (unsigned k = first[level] + blockIdx.x * warps + threadIdx.x / 32; k < last; k += gridDim.x * warps)
      mark_node(t, d, how, k);
    __syncthreads();
  }
}

/// Bodies that a node sends to a domain.
__device__ __forceinline__ unsigned bodies_sent(const TreeMemory& t, const TreeDomains& d, unsigned k,
                                                unsigned domain) {
  if ((d.opens[k] >> domain & 1) == 0) return 0;
  const float4 o = t.opening[k];
  return is_leaf(o) ? __float_as_uint(o.z) : 0;
}

// Counts what each domain gets of a tile of nodes.
extern "C" __global__ void __launch_bounds__(domain_threads) domain_count(TreeMemory t, TreeDomains d) {
  __shared__ unsigned counts[2 * most_domains];
  if (threadIdx.x < 2 * most_domains) counts[threadIdx.x] = 0;
  __syncthreads();
  for (unsigned j = threadIdx.x; j < domain_tile; j += domain_threads) {
    const unsigned k = blockIdx.x * domain_tile + j;
    for (unsigned left = k < t.capacity ? d.needs[k] : 0; left != 0; left &= left - 1) {
      const unsigned domain = __ffs(left) - 1, bodies = bodies_sent(t, d, k, domain);
      atomicAdd(&counts[2 * domain], 1u);
      if (bodies > 0) atomicAdd(&counts[2 * domain + 1], bodies);
    }
  }
  __syncthreads();
  if (threadIdx.x < 2 * d.domains) d.before[threadIdx.x * d.tiles + blockIdx.x] = counts[threadIdx.x];
}

// Sums of counts over the tiles before, and of all: a block a row of tiles.
extern "C" __global__ void __launch_bounds__(domain_threads)
    domain_sums(unsigned* before, unsigned* total, unsigned tiles) {
  const unsigned sum = sums_of_tiles(before + blockIdx.x * tiles, tiles);
  if (threadIdx.x == domain_threads - 1) total[blockIdx.x] = sum;
}

// The place of each node, and of its bodies, among those that a domain gets.
extern "C" __global__ void __launch_bounds__(domain_threads) domain_rank(TreeMemory t, TreeDomains d) {
  __shared__ unsigned of_warps[domain_threads / 32];
  constexpr unsigned each = domain_tile / domain_threads;
  const unsigned first = blockIdx.x * domain_tile + threadIdx.x * each;
  unsigned needs[each];
  for (unsigned j = 0; j < each; ++j) needs[j] = first + j < t.capacity ? d.needs[first + j] : 0;
  for (unsigned domain = 0; domain < d.domains; ++domain) {
    unsigned nodes = 0, bodies = 0;
    for (unsigned j = 0; j < each; ++j) {
      if ((needs[j] >> domain & 1) != 0) ++nodes, bodies += bodies_sent(t, d, first + j, domain);
    }
    const unsigned* const before = d.before + 2 * domain * d.tiles + blockIdx.x;
    unsigned node = before[0] + sum_before(nodes, of_warps),
             body = before[d.tiles] + sum_before(bodies, of_warps);
    for (unsigned j = 0; j < each; ++j) {
      if ((needs[j] >> domain & 1) == 0) continue;
      d.rank[(size_t)domain * t.capacity + first + j] = make_uint2(node, body);
      ++node, body += bodies_sent(t, d, first + j, domain);
    }
  }
}

/// Writes a node as its receiver has it. One whose parts stay here is always taken as a whole there.
__device__ __forceinline__ void write_sent(const TreeMemory& t, const TreeDomains& d, const TreeParcel& p,
                                           unsigned k, uint2 rank, float4 o, bool opens) {
  const uint2* const ranks = d.rank + (size_t)p.to * t.capacity;
  const unsigned down = __float_as_uint(o.y);
  unsigned there = p.nothing << 3;
  if (!opens)
    o.x = o.w = -1, o.z = __uint_as_float(0xffffffffu);
  else if (is_leaf(o))
    there = p.first_body + rank.y;
  else
    there = (p.first_node + ranks[down >> 3].x) << 3 | (down & 7);
  p.center[rank.x] = t.center[k];
  p.opening[rank.x] = make_float4(o.x, __uint_as_float(there), o.z, o.w);
  p.moment[rank.x] = t.moment[k];
  p.more_moment[rank.x] = t.more_moment[k];
  if (p.third[0]) p.third[0][rank.x] = t.third[0][k], p.third[1][rank.x] = t.third[1][k];
  p.range[rank.x] = make_uint4(0, t.range[k].y, 0, 0);
}

// Puts together what one domain gets: a warp 32 nodes.
extern "C" __global__ void __launch_bounds__(domain_threads)
    domain_pack(TreeMemory t, TreeDomains d, TreeParcel p) {
  const unsigned lane = threadIdx.x % 32;
  for (unsigned row = threadIdx.x / 32; row < domain_tile / 32; row += domain_threads / 32) {
    const unsigned k = blockIdx.x * domain_tile + row * 32 + lane;
    const bool is_sent = k < t.capacity && (d.needs[k] >> p.to & 1) != 0;
    if (__ballot_sync(~0u, is_sent) == 0) continue;
    const bool opens = is_sent && (d.opens[k] >> p.to & 1) != 0;
    const uint2 rank = is_sent ? d.rank[(size_t)p.to * t.capacity + k] : make_uint2(0, 0);
    const float4 o = is_sent ? t.opening[k] : make_float4(0, 0, 0, 0);
    if (is_sent) write_sent(t, d, p, k, rank, o, opens);
    for (unsigned leaves = __ballot_sync(~0u, opens && is_leaf(o)); leaves != 0; leaves &= leaves - 1) {
      const int from = __ffs(leaves) - 1;
      const unsigned first = __shfl_sync(~0u, __float_as_uint(o.y), from);
      const unsigned count = __shfl_sync(~0u, __float_as_uint(o.z), from),
                     to = __shfl_sync(~0u, rank.y, from);
      for (unsigned j = lane; j < count; j += 32) p.body[to + j] = t.body[first + j];
    }
  }
}

// The walk begins with these trees, too. Behind the own nodes is one without mass.
extern "C" __global__ void __launch_bounds__(most_domains) domain_roots(TreeMemory t, TreeRoots roots) {
  if (threadIdx.x < roots.count) t.counters->root[threadIdx.x] = roots.root[threadIdx.x];
  if (threadIdx.x > 0) return;
  t.counters->roots = roots.count;
  t.center[t.capacity] = t.opening[t.capacity] = make_float4(0, 0, 0, 0);
  t.range[t.capacity] = make_uint4(0, 0, 0, 0);
}

// The cost of the same runs, after the walk: a block a run.
extern "C" __global__ void __launch_bounds__(domain_threads)
    domain_costs(TreeMemory t, TreeDomains d, int sorted) {
  __shared__ unsigned long long of_warps[domain_threads / 32];
  const unsigned first = bodies_of_piece(t, d).x, end = bodies_of_piece(t, d).y;
  unsigned long long work = 0;
  // An empty piece begins at the number of bodies, which need not be a multiple of 32.
  const unsigned behind = first < end ? (end + 31) / 32 : 0;
  for (unsigned k = first / 32 + threadIdx.x; k < behind; k += domain_threads) work += t.work[k];
  work = warp_sum(work);
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = work;
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (int w = 1; w < domain_threads / 32; ++w) work += of_warps[w];
  const sort_key key = first < end ? t.key[sorted][first] >> 3 * local_bits : 0;
  d.cost[blockIdx.x] = {key, work, end - first};
}

// Vertices in the order of the curve to where they are in the dataset.
extern "C" __global__ void __launch_bounds__(domain_threads)
    domain_vertices(const float4* position, const float4* velocity, const unsigned* body, float4* to_position,
                    float4* to_velocity, index_t count) {
  const index_t k = blockIdx.x * domain_threads + threadIdx.x;
  if (k >= count) return;
  to_position[body[k]] = position[k];
  to_velocity[body[k]] = velocity[k];
}
