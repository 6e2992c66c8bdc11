// What a group of the tree's walk meets, summed: bodies, cells, and far cells as a series.

/// A lane's bodies of one half of the group, with what they have so far.
template <int BODIES>
struct Half {
  enum : int { each = (int)Group<BODIES>::each_half, second = (int)Group<BODIES>::each - each };
  float4 here[each];
  float3 sum[each];
};
template <int BODIES>
__device__ __forceinline__ Half<BODIES> half_of(const Group<BODIES>& g, bool second) {
  Half<BODIES> half;
#pragma unroll
  for (int k = 0; k < half.each; ++k) {
    half.here[k] = second ? g.here[half.second + k] : g.here[k];
    half.sum[k] = make_float3(0, 0, 0);
  }
  return half;
}
__device__ __forceinline__ void add_to(float3& all, float3 sum) {
  all.x += sum.x, all.y += sum.y, all.z += sum.z;
}
template <int BODIES>
__device__ __forceinline__ void put_back(Group<BODIES>& g, const Half<BODIES>& half, bool second) {
#pragma unroll
  for (int k = 0; k < half.each; ++k) {
    if (second)
      add_to(g.sum[half.second + k], half.sum[k]);
    else
      add_to(g.sum[k], half.sum[k]);
  }
}

/// How many of the bodies that are listed for a half are to be summed now: most if they are enough, and at
/// the end all.
template <int BODIES>
__device__ __forceinline__ unsigned sources_due(const Group<BODIES>& g, int h, bool last) {
  const unsigned have = h == 0 ? g.sources[0] : g.sources[g.halves - 1];
  if (last) return (have + source_step - 1) / source_step * source_step;
  return have < summed_sources ? 0 : have / source_step * source_step;
}

/// Takes the last `count` listed bodies of a half: where they begin. What lacks is filled up with massless
/// ones far away.
template <int BODIES>
__device__ __forceinline__ unsigned take_sources(Group<BODIES>& g, WarpLists& w, int h, unsigned count) {
  const unsigned have = h == 0 ? g.sources[0] : g.sources[g.halves - 1], taken = min(have, count);
  const unsigned lane = threadIdx.x % 32;
  if (have + lane < count) w.source[h][have + lane] = make_float4(1e15f, 1e15f, 1e15f, 0);
#pragma unroll
  for (int k = 0; k < g.halves; ++k) {
    g.sources[k] -= k == h ? taken : 0;
    g.pulls[k] += k == h ? taken : 0;
  }
  __syncwarp();
  return have - taken;
}

/// Sums `count` listed bodies for a half, a multiple of source_step. The same code for both halves, since the
/// GPU's cache of instructions has to hold what is in the walk's loop.
template <int BODIES>
__device__ __forceinline__ void sum_sources(Group<BODIES>& g, WarpLists& w, int h, unsigned count,
                                            const Constants& constants) {
  const float4* source = w.source[h] + take_sources(g, w, h, count);
  auto half = half_of(g, h == 1);
  if (g.share > 1) {
    for (unsigned j = threadIdx.x % 32 / BODIES; j < count; j += g.share)
      interact(half.sum[0], half.here[0], source[j], constants);
  } else {
#pragma unroll 1
    for (unsigned begin = 0; begin < count; begin += source_step) {
#pragma unroll
      for (int j = 0; j < source_step; ++j) {
        const float4 body = source[begin + j];
#pragma unroll
        for (int k = 0; k < half.each; ++k) interact(half.sum[k], half.here[k], body, constants);
      }
    }
  }
  put_back(g, half, h == 1);
  __syncwarp();
}

/// Sums what is due of the listed bodies; at the end all.
template <int BODIES>
__device__ __forceinline__ void sum_due_sources(Group<BODIES>& g, WarpLists& w, bool last,
                                                const Constants& constants) {
#pragma unroll 1
  for (int h = 0; h < g.halves; ++h) {
    const unsigned due = sources_due(g, h, last);
    if (due > 0) sum_sources(g, w, h, due, constants);
  }
}

/// Listed leaves, one a lane, and how many bodies those before it have.
struct Leaves {
  unsigned first, halves, before, bodies;  // `bodies`: of all
};
/// The `count` leaves from `begin` on.
__device__ __forceinline__ Leaves listed_leaves(const WarpLists& w, unsigned begin, unsigned count) {
  const unsigned lane = threadIdx.x % 32, at = begin + lane;
  const unsigned word = lane < count ? w.leaf_size[at] : 0, size = word >> 2;
  const unsigned before = sum_of_lanes_before(size);
  return {lane < count ? w.leaf[at] : 0, word & both_halves, before, __shfl_sync(~0u, before + size, 31)};
}

/// A body of a leaf, and the halves of the group that it is for; 0: there is none.
struct LeafBody {
  float4 body;
  unsigned halves;
};
/// Body number `k` of those of the leaves.
__device__ __forceinline__ LeafBody body_of_leaves(const TreeMemory& t, const Leaves& leaves, unsigned k) {
  unsigned leaf = 0;
  for (unsigned step = 16; step > 0; step /= 2) {
    if (__shfl_sync(~0u, leaves.before, leaf + step) <= k) leaf += step;
  }
  const unsigned first = __shfl_sync(~0u, leaves.first, leaf), before = __shfl_sync(~0u, leaves.before, leaf),
                 halves = __shfl_sync(~0u, leaves.halves, leaf);
  const bool is_there = k < leaves.bodies;
  return {t.body[first + (is_there ? k - before : 0)], is_there ? halves : 0};
}

/// Lists the lanes' bodies for their halves.
template <int BODIES>
__device__ __forceinline__ void list_bodies(Group<BODIES>& g, WarpLists& w, const LeafBody& b) {
#pragma unroll
  for (int h = 0; h < g.halves; ++h) {
    const bool is_for = (b.halves >> h & 1) != 0;
    const unsigned all = __ballot_sync(~0u, is_for);
    if (is_for) w.source[h][g.sources[h] + place_in(all)] = b.body;
    g.sources[h] += __popc(all);
  }
  __syncwarp();
}

/// Lists the bodies of the last `count` listed leaves, at most 32, and sums what is due; at the end all. The
/// next ones are loaded meanwhile.
template <int BODIES>
__device__ __forceinline__ void sum_leaves(Group<BODIES>& g, const TreeMemory& t, WarpLists& w,
                                           unsigned count, bool at_end, const Constants& constants) {
  const unsigned lane = threadIdx.x % 32;
  g.leaves -= count;
  const Leaves leaves = listed_leaves(w, g.leaves, count);
  LeafBody next = body_of_leaves(t, leaves, lane);
#pragma unroll 1
  for (unsigned done = 0; done < leaves.bodies || done == 0; done += 32) {
    const LeafBody now = next;
    const bool last = done + 32 >= leaves.bodies;
    if (!last) next = body_of_leaves(t, leaves, done + 32 + lane);
    list_bodies(g, w, now);
    sum_due_sources(g, w, at_end && last && g.leaves == 0, constants);
  }
  __syncwarp();
}

/// The numbers of one cell for its force (CellSources). THIRD: with third moments, which else are not loaded.
template <bool THIRD>
struct LoadedCell {
  float4 place, q, r, third[2];
};
template <bool THIRD>
__device__ __forceinline__ LoadedCell<THIRD> loaded_cell(const CellSources& c, unsigned j) {
  LoadedCell<THIRD> cell;
  cell.place = c.place[j], cell.q = c.moment[j], cell.r = c.more_moment[j];
#if THIRD_CODE
  if (THIRD) cell.third[0] = c.third[0][j], cell.third[1] = c.third[1][j];
#endif
  return cell;
}

/// The pull of a cell: of the direction and the distance, so that no power of a large one overflows.
template <bool THIRD>
__device__ __forceinline__ void pull_of_cell(float3& sum, float3 here, const LoadedCell<THIRD>& cell,
                                             float eps2) {
  const float4 place = cell.place, q = cell.q, r = cell.r;
  const float dx = place.x - here.x, dy = place.y - here.y, dz = place.z - here.z;
  const float u = rsqrtf(dx * dx + (dy * dy + (dz * dz + eps2)));
  const float x = dx * u, y = dy * u, z = dz * u, u2 = u * u, u4 = u2 * u2;
  const float n[3] = {x, y, z}, moment[6] = {q.x, q.y, q.z, q.w, r.x, r.y};
  const MomentPull<float> moments = pull_of_second(moment, n);
  float sx = moments.across[0], sy = moments.across[1], sz = moments.across[2];
  float second = 2.5f * moments.inner - r.z;
  if (THIRD) {
    const MomentPull<float> pull = pull_of_third(cell.third[0], cell.third[1], r.w, x, y, z, u);
    sx -= pull.across[0], sy -= pull.across[1], sz -= pull.across[2];
    second -= (7.0f / 3) * pull.inner;
  }
  const float along = place.w * u2 + u4 * second;
  sum.x += along * x - u4 * sx;
  sum.y += along * y - u4 * sy;
  sum.z += along * z - u4 * sz;
}

/// That of its mass alone.
__device__ __forceinline__ void pull_of_mass(float3& sum, float3 here, float4 place, float eps2) {
  const float dx = place.x - here.x, dy = place.y - here.y, dz = place.z - here.z;
  const float u = rsqrtf(dx * dx + (dy * dy + (dz * dz + eps2))), along = place.w * u * (u * u);
  sum.x += along * dx, sum.y += along * dy, sum.z += along * dz;
}

/// The loaded cells: those for the first half of the group alone, for both, for the second one alone.
struct CellKinds {
  unsigned first, both, second;
};

/// Those with third moments, then the others.
struct CellOrders {
  CellKinds third, second;
};

/// Counts lanes with a cell for these halves; 0: without. `at`: the cell's place among them, from `begin` on.
__device__ __forceinline__ CellKinds count_kinds(unsigned halves, unsigned begin, unsigned& at) {
  const unsigned both = __ballot_sync(~0u, halves == 3), first = __ballot_sync(~0u, halves == 1),
                 second = __ballot_sync(~0u, halves == 2);
  const CellKinds kinds = {(unsigned)__popc(first), (unsigned)__popc(both), (unsigned)__popc(second)};
  if (halves == 1) at = begin + place_in(first);
  if (halves == 3) at = begin + kinds.first + place_in(both);
  if (halves == 2) at = begin + kinds.first + kinds.both + place_in(second);
  return kinds;
}

/// Writes a cell's third moments where they are summed.
__device__ __forceinline__ void load_third(const TreeMemory& t, WarpLists& w, unsigned node, unsigned at) {
#if THIRD_CODE
  const float4 a = t.third[0][node], b = t.third[1][node];
  w.cell.third[0][at] = a, w.cell.third[1][at] = b;
  w.cell.more_moment[at].w = -(a.x + a.w);
#endif
}

/// Loads the last `count` listed cells, one a lane.
template <int BODIES>
__device__ __forceinline__ CellOrders load_cells(const Group<BODIES>& g, const TreeMemory& t, WarpLists& w,
                                                 unsigned count) {
  const unsigned lane = threadIdx.x % 32, word = lane < count ? w.cells[g.cells - count + lane] : 0,
                 halves = word & both_halves, node = word >> cell_bits;
  const bool third = THIRD_CODE && (word & needs_third) != 0;
  unsigned at = 0;
  CellOrders orders = {{0, 0, 0}, {0, 0, 0}};
  if (THIRD_CODE) orders.third = count_kinds(third ? halves : 0, 0, at);
  const unsigned begin = orders.third.first + orders.third.both + orders.third.second;
  orders.second = count_kinds(third ? 0 : halves, begin, at);
  const float4 c = t.center[node], q = t.moment[node];
  const float2 r = t.more_moment[node];
  if (lane < count) {
    w.cell.place[at] = make_float4(c.x - g.center.x, c.y - g.center.y, c.z - g.center.z, c.w);
    w.cell.moment[at] = q;
    w.cell.more_moment[at] = make_float4(r.x, r.y, 0.5f * (q.x + q.w + r.y), 0);
    if (third) load_third(t, w, node, at);
  }
  __syncwarp();
  return orders;
}

/// Adds the loaded cells [begin, end), each share-th, for some of a lane's bodies. THIRD: those with third
/// moments.
template <bool THIRD, int EACH>
__device__ __forceinline__ void add_cells(float3 (&sum)[EACH], const float3 (&here)[EACH],
                                          const CellSources& c, unsigned begin, unsigned end, unsigned share,
                                          bool quadrupoles, float eps2) {
#pragma unroll 1
  for (unsigned j = begin; !quadrupoles && j < end; j += share) {
    for (int k = 0; k < EACH; ++k) pull_of_mass(sum[k], here[k], c.place[j], eps2);
  }
#pragma unroll(THIRD ? 1 : 2)
  for (unsigned j = begin; quadrupoles && j < end; j += share) {
    const LoadedCell<THIRD> cell = loaded_cell<THIRD>(c, j);
#pragma unroll
    for (int k = 0; k < EACH; ++k) pull_of_cell(sum[k], here[k], cell, eps2);
  }
}

/// Sums the last `count` listed cells, at most 32.
template <int BODIES>
__device__ __forceinline__ void sum_cells(Group<BODIES>& g, const TreeMemory& t, WarpLists& w,
                                          const TreeWalk& how, unsigned count, float eps2) {
  const unsigned lane = threadIdx.x % 32;
  const CellOrders orders = load_cells(g, t, w, count);
  const CellKinds third = orders.third, second = orders.second;
  const unsigned thirds = third.first + third.both + third.second, own = g.share > 1 ? lane / BODIES : 0;
  const unsigned of_first = third.first + third.both + second.first + second.both,
                 of_second = third.both + third.second + second.both + second.second;
  const bool quadrupoles = how.quadrupoles != 0;
#pragma unroll 1
  for (int h = 0; h < g.halves; ++h) {
    auto half = half_of(g, h == 1);
    float3 here[half.each];
#pragma unroll
    for (int k = 0; k < half.each; ++k) here[k] = from_middle(g, half.here[k]);
    if (THIRD_CODE)
      add_cells<true>(half.sum, here, w.cell, (h == 0 ? 0 : third.first) + own,
                      h == 0 ? third.first + third.both : thirds, g.share, true, eps2);
    add_cells<false>(half.sum, here, w.cell, thirds + (h == 0 ? 0 : second.first) + own,
                     h == 0 ? thirds + second.first + second.both : count, g.share, quadrupoles, eps2);
    put_back(g, half, h == 1);
  }
  g.pulls[0] += of_first;
  if (g.halves > 1) g.pulls[g.halves - 1] += of_second;
  g.cells -= count;
  __syncwarp();
}

/// Where the sums of terms are that a lane has.
struct OwnTerms {
  int first, count;
};

/// Adds up the terms of all lanes. In each round a lane gives half of its terms away, and adds to the other
/// half what its partner has of them: at the end it has the sums of a few, from `own.first` on.
template <int COUNT, int STEP>
__device__ __forceinline__ void share_out_terms(float (&terms)[SERIES_TERMS], OwnTerms& own) {
  constexpr int kept = (COUNT + 1) / 2;
  const bool upper = (threadIdx.x & STEP) != 0;
#pragma unroll
  for (int k = 0; k < kept; ++k) {
    const float low = terms[k], high = k + kept < COUNT ? terms[k + kept] : 0;
    terms[k] = (upper ? high : low) + __shfl_xor_sync(~0u, upper ? low : high, STEP);
  }
  own.first += upper ? kept : 0;
  const int lower = own.count < kept ? own.count : kept;
  own.count = upper ? own.count - lower : lower;
  if constexpr (STEP > 1) share_out_terms<kept, STEP / 2>(terms, own);
}

/// Adds the terms of all lanes to a series.
__device__ __forceinline__ void add_series(float* series, float (&terms)[SERIES_TERMS]) {
  OwnTerms own = {0, SERIES_TERMS};
  share_out_terms<SERIES_TERMS, 16>(terms, own);
#pragma unroll
  for (int k = 0; k < 2; ++k) {
    if (k < own.count) series[own.first + k] += terms[k];
  }
}

/// Adds the listed far cells to the series.
template <int BODIES>
__device__ __forceinline__ void add_far_cells(Group<BODIES>& g, const TreeMemory& t, WarpLists& w,
                                              const TreeWalk& how, float eps2) {
  const unsigned lane = threadIdx.x % 32;
  float terms[SERIES_TERMS];
#pragma unroll
  for (int k = 0; k < SERIES_TERMS; ++k) terms[k] = 0;
  for (unsigned j = lane; j < g.far; j += 32) {
    const unsigned node = w.far[j];
    const float4 c = t.center[node];
    add_to_series(terms, from_middle(g, c), c.w, t.moment[node], t.more_moment[node], eps2);
    if (THIRD_CODE && HAS_THIRD(how))
      add_third_to_series(terms, from_middle(g, c), t.third[0][node], t.third[1][node], eps2);
  }
  add_series(w.series, terms);
  g.in_series += g.far;
  g.far = 0;
  __syncwarp();
}
