// The octree over sorted keys, level by level, and the numbers of its cells. Where a cell lies in memory may
// differ from run to run; what it holds, and the order in which a walk meets cells, does not.

/// Nodes of the levels above.
__device__ __forceinline__ unsigned nodes_above(const volatile unsigned* nodes, int level) {
  unsigned sum = 0;
  for (int k = 0; k < level; ++k) sum += nodes[k];
  return sum;
}

/// Where the part with this digit ends: by the first octal digit in which the keys of the cell differ (cells
/// in cells with one part are so left out), or in pieces of one size where all keys are the same.
__device__ unsigned part_end(const sort_key* keys, uint4 cell, unsigned digit) {
  const unsigned last = cell.x + cell.y;
  if (digit == 7) return last;
  const sort_key differing = keys[cell.x] ^ keys[last - 1];
  if (differing == 0) return cell.x + (unsigned)((unsigned long long)cell.y * (digit + 1) / 8);
  const int shift = (63 - __clzll(differing)) / 3 * 3;
  unsigned low = cell.x, high = last;
  while (low < high) {
    const unsigned middle = (low + high) / 2;
    if (((unsigned)(keys[middle] >> shift) & 7) <= digit)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// Divides the cells of levels [level, end) that hold more bodies than a leaf. One level by many blocks, or
// several by one block. Eight threads a cell.
extern "C" __global__ void tree_divide(TreeMemory t, int sorted, index_t leaf_size, int level, int end) {
  __shared__ unsigned counts[deep_threads / lanes_of_node];
  __shared__ unsigned base;
  volatile unsigned* const nodes = t.counters->nodes;
  const sort_key* keys = t.key[sorted];
  const unsigned cells = blockDim.x / lanes_of_node;
  const unsigned lane = threadIdx.x % lanes_of_node, slot = threadIdx.x / lanes_of_node;
  if (level == 0 && threadIdx.x == 0) {
    nodes[0] = 1;
    t.range[0] = make_uint4(0, t.bodies, 0, 0);
  }
  for (; level < end; ++level) {
    __syncthreads();
    const unsigned first = nodes_above(nodes, level);
    const unsigned count = min(nodes[level], t.capacity - min(first, t.capacity));
    const unsigned next = first + nodes[level];
    if (count == 0) return;
    for (unsigned at = blockIdx.x * cells; at < count; at += gridDim.x * cells) {
      const bool is_there = at + slot < count;
      const uint4 cell = is_there ? t.range[first + at + slot] : make_uint4(0, 0, 0, 0);
      const bool divides = cell.y > leaf_size;
      const unsigned stop = divides ? part_end(keys, cell, lane) : 0;
      const unsigned above = __shfl_up_sync(~0u, stop, 1, lanes_of_node);
      const unsigned begin = lane == 0 ? cell.x : above;
      const bool has = divides && stop > begin;
      const unsigned shift = threadIdx.x % 32 / lanes_of_node * lanes_of_node;
      const unsigned parts = __ballot_sync(~0u, has) >> shift & 0xff;
      if (lane == 0) counts[slot] = __popc(parts);
      __syncthreads();
      if (threadIdx.x == 0) {
        unsigned sum = 0;
        for (unsigned k = 0; k < cells; ++k) {
          const unsigned mine = counts[k];
          counts[k] = sum;
          sum += mine;
        }
        base = sum > 0 ? next + atomicAdd((unsigned*)&nodes[level + 1], sum) : 0;
      }
      __syncthreads();
      const unsigned child = base + counts[slot];
      const unsigned place = child + __popc(parts & ((1u << lane) - 1));
      // Without room a cell stays a leaf, whatever it holds.
      const bool fits = child + __popc(parts) <= t.capacity;
      if (has && place < t.capacity)
        t.range[place] = fits ? make_uint4(begin, stop - begin, 0, 0) : make_uint4(0, 0, 0, 0);
      if (divides && fits && lane == 0) {
        t.range[first + at + slot].z = child;
        t.range[first + at + slot].w = __popc(parts);
      }
      __syncthreads();
    }
    __threadfence_block();
  }
}

/// Sums over what a cell holds, about a point of it.
struct CellSums {
  double mass, x, y, z, xx, xy, xz, yy, yz, zz;
};
__device__ __forceinline__ void add_mass(CellSums& s, double m, double x, double y, double z) {
  s.mass += m;
  s.x += m * x, s.y += m * y, s.z += m * z;
  s.xx += m * x * x, s.xy += m * x * y, s.xz += m * x * z;
  s.yy += m * y * y, s.yz += m * y * z, s.zz += m * z * z;
}
/// Second moments of a part about its own centre.
__device__ __forceinline__ void add_moments(CellSums& s, float4 q, float2 r) {
  s.xx += q.x * (1.0 / 3), s.xy += q.y * (1.0 / 3), s.xz += q.z * (1.0 / 3);
  s.yy += q.w * (1.0 / 3), s.yz += r.x * (1.0 / 3), s.zz += r.y * (1.0 / 3);
}

/// Writes what a walk reads of a node. The sums are about `at`.
__device__ void write_node(TreeMemory t, TreeWalk how, unsigned k, const CellSums& s, float4 at, float3 low,
                           float3 high) {
  const uint4 range = t.range[k];
  const bool has_mass = s.mass != 0;
  const double inverse = has_mass ? 1 / s.mass : 0;
  const double dx = s.x * inverse, dy = s.y * inverse, dz = s.z * inverse;
  const float mass = (float)s.mass;
  const float3 middle =
      make_float3(0.5f * (low.x + high.x), 0.5f * (low.y + high.y), 0.5f * (low.z + high.z));
  const float3 c =
      has_mass ? make_float3((float)(at.x + dx), (float)(at.y + dy), (float)(at.z + dz)) : middle;
  t.moment[k] = make_float4((float)(3 * (s.xx - s.x * dx)), (float)(3 * (s.xy - s.x * dy)),
                            (float)(3 * (s.xz - s.x * dz)), (float)(3 * (s.yy - s.y * dy)));
  t.more_moment[k] = make_float2((float)(3 * (s.yz - s.y * dz)), (float)(3 * (s.zz - s.z * dz)));
  t.low[k] = make_float4(low.x, low.y, low.z, 0);
  t.high[k] = make_float4(high.x, high.y, high.z, 0);
  const float rx = fmaxf(c.x - low.x, high.x - c.x), ry = fmaxf(c.y - low.y, high.y - c.y);
  const float rz = fmaxf(c.z - low.z, high.z - c.z);
  // Rounded up: a cell of one body has no size, and bodies at its border are not outside.
  const float reach2 = (rx * rx + ry * ry + rz * rz) * 1.000001f;
  const float reach = sqrtf(reach2);
  float least2 = reach2, left_out = mass * reach * reach2;
  if (!how.relative) {
    const float side = fmaxf(high.x - low.x, fmaxf(high.y - low.y, high.z - low.z));
    const float ox = c.x - middle.x, oy = c.y - middle.y, oz = c.z - middle.z;
    const float open = side * how.inverse_theta + sqrtf(ox * ox + oy * oy + oz * oz);
    least2 = how.inverse_theta > 0 ? fmaxf(reach2, open * open) : __uint_as_float(0x7f800000u);
    left_out = 0;
  }
  const bool leaf = range.w == 0;
  const unsigned down = leaf ? range.x : range.z << 3 | (range.w - 1);
  t.center[k] = make_float4(c.x, c.y, c.z, left_out);
  t.opening[k] =
      make_float4(least2, __uint_as_float(down), __uint_as_float(leaf ? range.y : 0xffffffffu), mass);
}

/// The box around itself and another.
__device__ __forceinline__ void widen(float3& low, float3& high, float4 a, float4 b) {
  low = make_float3(fminf(low.x, a.x), fminf(low.y, a.y), fminf(low.z, a.z));
  high = make_float3(fmaxf(high.x, b.x), fmaxf(high.y, b.y), fmaxf(high.z, b.z));
}

// The leaves: a thread each.
extern "C" __global__ void __launch_bounds__(weigh_threads) tree_weigh_leaves(TreeMemory t, TreeWalk how) {
  const unsigned count = min(nodes_above(t.counters->nodes, most_levels + 1), t.capacity);
  for (unsigned k = blockIdx.x * weigh_threads + threadIdx.x; k < count; k += gridDim.x * weigh_threads) {
    const uint4 range = t.range[k];
    if (range.w != 0) continue;
    const float4 at = range.y > 0 ? t.body[range.x] : make_float4(0, 0, 0, 0);
    float3 low = make_float3(at.x, at.y, at.z), high = low;
    CellSums sums = {};
    for (unsigned j = range.x; j < range.x + range.y; ++j) {
      const float4 b = t.body[j];
      widen(low, high, b, b);
      add_mass(sums, b.w, (double)b.x - at.x, (double)b.y - at.y, (double)b.z - at.z);
    }
    write_node(t, how, k, sums, at, low, high);
  }
}

// The other cells of levels [level, end), from the last one upwards: of one level by many blocks, or of
// several by one block.
extern "C" __global__ void tree_weigh(TreeMemory t, TreeWalk how, int level, int end) {
  const unsigned* nodes = t.counters->nodes;
  while (--end >= level) {
    const unsigned first = nodes_above(nodes, end);
    const unsigned count = min(nodes[end], t.capacity - min(first, t.capacity));
    for (unsigned j = blockIdx.x * blockDim.x + threadIdx.x; j < count; j += gridDim.x * blockDim.x) {
      const uint4 range = t.range[first + j];
      if (range.w == 0) continue;
      const float4 at = t.center[range.z];
      float3 low = make_float3(t.low[range.z].x, t.low[range.z].y, t.low[range.z].z);
      float3 high = make_float3(t.high[range.z].x, t.high[range.z].y, t.high[range.z].z);
      CellSums sums = {};
      for (unsigned k = range.z; k < range.z + range.w; ++k) {
        const float4 c = t.center[k];
        widen(low, high, t.low[k], t.high[k]);
        add_mass(sums, t.opening[k].w, (double)c.x - at.x, (double)c.y - at.y, (double)c.z - at.z);
        add_moments(sums, t.moment[k], t.more_moment[k]);
      }
      write_node(t, how, first + j, sums, at, low, high);
    }
    __syncthreads();
  }
}
