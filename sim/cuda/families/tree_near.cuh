// The pulls of near bodies on a group as products on tensor cores (near=tensor; as
// families/tensor_common.cuh). Places are relative to the middle of the group, in its radius. r^2 + eps^2 of
// 16 bodies and 8 sources is a product of 16 half-precision numbers of each:
//   -2 x_i . x_j (high*high, high*low, low*high on 3 axes) + |x_i|^2 * 1 + 1 * (|x_j|^2 + eps^2), two parts
//   each
// and with w = (r^2 + eps^2)^(-3/2) the pull is sum w m x_j - x_i sum w m, a product with 8 columns: m x, m
// y, m z, m, high parts, then low parts. A pair so close that its weight overflows, where r^2 is inaccurate
// too, spoils the whole product; sources far outside lose their digits. Then the bodies are summed in FP32.
/// Sources of a product; halves of a column of their sums, so that lanes meet in no bank.
enum : int { near_sources = 64, near_stride = near_sources + 8 };

/// What a warp keeps in shared memory for it. Right sides of a source; of its sums, a row for each column;
/// then, in the same place as the first, what 64 bodies get.
struct NearProducts {
  union {
    uint2 column[near_sources][4];
    float sum[near_sources][8];
  };
  unsigned short sums[8][near_stride];
};

/// A number as two halves.
struct Halves {
  float high, low;
};
__device__ __forceinline__ Halves in_halves(float x) {
  const float high = to_half(x);
  return {high, x - high};
}

/// Left sides of a body at `x`, as four lanes take them.
__device__ __forceinline__ void write_row(uint2* row, float3 at) {
  const Halves x = in_halves(at.x), y = in_halves(at.y), z = in_halves(at.z),
               n = in_halves(at.x * at.x + at.y * at.y + at.z * at.z);
  row[0] = make_uint2(pack_halves(x.high, x.high), pack_halves(z.low, n.high));
  row[1] = make_uint2(pack_halves(x.low, y.high), pack_halves(n.low, 1));
  row[2] = make_uint2(pack_halves(y.high, y.low), pack_halves(1, 0));
  row[3] = make_uint2(pack_halves(z.high, z.high), 0);
}

/// Right sides of a source with norm |x|^2 + eps^2: each meets what is in the same place above.
__device__ __forceinline__ void write_column(uint2* column, float3 at, float norm) {
  const Halves x = in_halves(-2 * at.x), y = in_halves(-2 * at.y), z = in_halves(-2 * at.z),
               n = in_halves(norm);
  column[0] = make_uint2(pack_halves(x.high, x.low), pack_halves(z.high, 1));
  column[1] = make_uint2(pack_halves(x.high, y.high), pack_halves(1, n.high));
  column[2] = make_uint2(pack_halves(y.low, y.high), pack_halves(n.low, 0));
  column[3] = make_uint2(pack_halves(z.high, z.low), 0);
}

/// Columns of the sums of a source of that mass, in its unit.
__device__ __forceinline__ void write_sums(NearProducts& p, unsigned source, float3 at, float mass) {
  const float columns[4] = {mass * at.x, mass * at.y, mass * at.z, mass};
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const Halves part = in_halves(columns[k]);
    const word both = pack_halves(part.high, part.low);
    p.sums[k][source] = (unsigned short)both;
    p.sums[k + 4][source] = (unsigned short)(both >> 16);
  }
}

/// Writes the right sides of 64 sources, two a lane. Returns the unit of mass; 0 where a source is too far
/// for half precision, or all are without mass.
__device__ __forceinline__ float write_sources(NearProducts& p, const float4* source, float scale,
                                               float scaled_eps2) {
  constexpr float farthest2 = 480, most_mass = 2048;  // 22 times 2048 is below the largest half
  const unsigned lane = threadIdx.x % 32;
  const float4 one = source[lane], two = source[lane + 32];
  const float most = warp_most(fmaxf(one.w, two.w));
  const float unit = most_mass / most;
  bool is_near = most > 0 && unit < 1e30f;
#pragma unroll
  for (int k = 0; k < 2; ++k) {
    const float4 s = k == 0 ? one : two;
    const float3 at = make_float3(scale * s.x, scale * s.y, scale * s.z);
    const float norm = at.x * at.x + at.y * at.y + at.z * at.z + scaled_eps2;
    is_near = is_near && norm < farthest2;
    write_column(p.column[lane + 32 * k], at, norm);
    write_sums(p, lane + 32 * k, at, unit * s.w);
  }
  __syncwarp();
  return __ballot_sync(~0u, !is_near) == 0 ? unit : 0;
}

/// Weights of 16 bodies with two times 8 sources, as left sides of the sums.
__device__ __forceinline__ void weigh_pairs(word (&weights)[4], const float (&left)[4],
                                            const float (&right)[4]) {
  float w[8];
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    const float u = rsqrtf(k < 4 ? left[k % 4] : right[k % 4]);
    w[k] = u * u * u;
  }
#pragma unroll
  for (int k = 0; k < 4; ++k) weights[k] = pack_halves(w[2 * k], w[2 * k + 1]);
}

/// The sums of 16 TILES bodies over 64 sources; false for all lanes where one overflowed.
template <int TILES>
__device__ __forceinline__ bool multiply_near(float (&sum)[TILES][4], const NearProducts& p,
                                              const uint2 (*row)[4]) {
  const unsigned lane = threadIdx.x % 32, line = lane / 4, part = lane % 4;
  const float zero[4] = {0, 0, 0, 0};
  word side[TILES][4];
#pragma unroll
  for (int r = 0; r < TILES; ++r) {
    const uint2 top = row[16 * r + line][part], bottom = row[16 * r + 8 + line][part];
    side[r][0] = top.x, side[r][1] = bottom.x, side[r][2] = top.y, side[r][3] = bottom.y;
    sum[r][0] = sum[r][1] = sum[r][2] = sum[r][3] = 0;
  }
#pragma unroll 1
  for (int c = 0; c < near_sources; c += 16) {
    const uint2 a = p.column[c + line][part], b = p.column[c + 8 + line][part];
    const word low = *(const word*)&p.sums[line][c + 2 * part],
               high = *(const word*)&p.sums[line][c + 8 + 2 * part];
#pragma unroll
    for (int r = 0; r < TILES; ++r) {
      float left[4], right[4];
      word weights[4];
      product_of_halves(left, side[r], a.x, a.y, zero);
      product_of_halves(right, side[r], b.x, b.y, zero);
      weigh_pairs(weights, left, right);
      product_of_halves(sum[r], weights, low, high, sum[r]);
    }
  }
  float check = 0;  // 0 times infinity is no number
#pragma unroll
  for (int r = 0; r < TILES; ++r) check += 0 * sum[r][0] + 0 * sum[r][1] + 0 * sum[r][2] + 0 * sum[r][3];
  return __ballot_sync(~0u, !(check == 0)) == 0;
}

/// Hands the sums to the bodies' lanes: body `lane` + 32 k gets its own.
template <int TILES>
__device__ __forceinline__ void hand_out(NearProducts& p, const float (&sum)[TILES][4],
                                         float4 (&own)[TILES / 2]) {
  const unsigned lane = threadIdx.x % 32, line = lane / 4, part = lane % 4;
  __syncwarp();
#pragma unroll
  for (int r = 0; r < TILES; ++r) {
    *(float2*)&p.sum[16 * r + line][2 * part] = make_float2(sum[r][0], sum[r][1]);
    *(float2*)&p.sum[16 * r + 8 + line][2 * part] = make_float2(sum[r][2], sum[r][3]);
  }
  __syncwarp();
#pragma unroll
  for (int k = 0; k < TILES / 2; ++k) {
    const float4 high = *(const float4*)&p.sum[lane + 32 * k][0],
                 low = *(const float4*)&p.sum[lane + 32 * k][4];
    own[k] = make_float4(high.x + low.x, high.y + low.y, high.z + low.z, high.w + low.w);
  }
  __syncwarp();
}

/// Adds the pulls of 64 sources on the bodies of a group, `here` from its middle; `row`: their left sides, in
/// units of 1 / scale. False, and nothing is added, where they are to be summed in FP32.
template <int EACH>
__device__ __forceinline__ bool add_near(float3 (&pull)[EACH], const float4 (&here)[EACH], NearProducts& p,
                                         const uint2 (*row)[4], const float4* source, float scale,
                                         float eps2) {
  const float unit = write_sources(p, source, scale, eps2 * (scale * scale));
  if (unit == 0) return false;
  float sum[2 * EACH][4];
  if (!multiply_near(sum, p, row)) return false;
  float4 own[EACH];
  hand_out(p, sum, own);
  const float factor = scale * scale / unit;
#pragma unroll
  for (int k = 0; k < EACH; ++k) {
    pull[k].x += factor * (own[k].x - scale * here[k].x * own[k].w);
    pull[k].y += factor * (own[k].y - scale * here[k].y * own[k].w);
    pull[k].z += factor * (own[k].z - scale * here[k].z * own[k].w);
  }
  return true;
}
