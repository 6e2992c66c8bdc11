// The pull of far cells on a whole group, as one Taylor series of the potential about a point of the group:
// to the fourth order, with Plummer's softening. A cell comes with its second moments, up to the same order
// together (Dehnen 2014, Comput. Astrophys. 1, 1, section 2). Terms: first derivatives x y z, second xx xy xz
// yy yz zz, third xxx xxy xxz xyy xyz xzz yyy yyz yzz zzz, fourth in the same way.
#define SERIES_TERMS 34

/// Adds a cell at `d` from the point; moments are 3 x the second moments. Lengths are taken by the (softened)
/// distance, so that no power of a large one overflows.
__device__ void add_to_series(float (&s)[SERIES_TERMS], float3 d, float mass, float4 q, float2 r,
                              float eps2) {
  const float u = rsqrtf(d.x * d.x + (d.y * d.y + (d.z * d.z + eps2))), u2 = u * u, u3 = u2 * u;
  const float x = d.x * u, y = d.y * u, z = d.z * u, xx = x * x, yy = y * y, zz = z * z, xy = x * y,
              xz = x * z, yz = y * z;
  const float half = u2 * (1.0f / 6), third = u3 * u2;
  // Half of the second moments, with the place and by itself.
  const float n[3] = {x, y, z}, moment[6] = {q.x, q.y, q.z, q.w, r.x, r.y};
  const MomentPull<float> moments = pull_of_second(moment, n);
  const float sx = half * moments.across[0], sy = half * moments.across[1], sz = half * moments.across[2];
  const float rr = sx * x + sy * y + sz * z, trace = half * (q.x + q.w + r.y);
  const float along = 3 * trace - 15 * rr - mass, outer = 3 * mass + 105 * rr - 15 * trace;
  s[0] -= u2 * (along * x + 6 * sx);
  s[1] -= u2 * (along * y + 6 * sy);
  s[2] -= u2 * (along * z + 6 * sz);
  s[3] += u3 * (outer * xx + along - 60 * x * sx) + third * q.x;
  s[4] += u3 * (outer * xy - 30 * (x * sy + y * sx)) + third * q.y;
  s[5] += u3 * (outer * xz - 30 * (x * sz + z * sx)) + third * q.z;
  s[6] += u3 * (outer * yy + along - 60 * y * sy) + third * q.w;
  s[7] += u3 * (outer * yz - 30 * (y * sz + z * sy)) + third * r.x;
  s[8] += u3 * (outer * zz + along - 60 * z * sz) + third * r.y;
  const float m3 = mass * (u2 * u2), x3 = m3 * x, y3 = m3 * y, z3 = m3 * z;
  s[9] += x3 * (15 * xx - 9);
  s[10] += y3 * (15 * xx - 3);
  s[11] += z3 * (15 * xx - 3);
  s[12] += x3 * (15 * yy - 3);
  s[13] += x3 * (15 * yz);
  s[14] += x3 * (15 * zz - 3);
  s[15] += y3 * (15 * yy - 9);
  s[16] += z3 * (15 * yy - 3);
  s[17] += y3 * (15 * zz - 3);
  s[18] += z3 * (15 * zz - 9);
  const float m4 = m3 * u, a4 = 105 * m4, b4 = 15 * m4, c4 = 3 * m4;
  const float xx4 = a4 * xx, yy4 = a4 * yy, zz4 = a4 * zz;
  s[19] += xx * (xx4 - 6 * b4) + 3 * c4;
  s[20] += xy * (xx4 - 3 * b4);
  s[21] += xz * (xx4 - 3 * b4);
  s[22] += xx4 * yy - b4 * (xx + yy) + c4;
  s[23] += yz * (xx4 - b4);
  s[24] += xx4 * zz - b4 * (xx + zz) + c4;
  s[25] += xy * (yy4 - 3 * b4);
  s[26] += xz * (yy4 - b4);
  s[27] += xy * (zz4 - b4);
  s[28] += xz * (zz4 - 3 * b4);
  s[29] += yy * (yy4 - 6 * b4) + 3 * c4;
  s[30] += yz * (yy4 - 3 * b4);
  s[31] += yy4 * zz - b4 * (yy + zz) + c4;
  s[32] += yz * (zz4 - 3 * b4);
  s[33] += zz * (zz4 - 6 * b4) + 3 * c4;
}

/// The pull of third moments (TreeMemory::third; `xzz` of them), over the distance 1 / u as well.
__device__ __forceinline__ MomentPull<float> pull_of_third(float4 a, float4 b, float xzz, float x, float y,
                                                           float z, float u) {
  const float n[3] = {x, y, z}, t[9] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, xzz, -(a.y + b.y)};
  const float unit = b.w * u;
  const MomentPull<float> pull = pull_of_third(t, n);
  return {{unit * pull.across[0], unit * pull.across[1], unit * pull.across[2]}, unit * pull.inner};
}

/// Adds the third moments of a cell at `d` from the point, which pull there.
__device__ __forceinline__ void add_third_to_series(float (&s)[SERIES_TERMS], float3 d, float4 a, float4 b,
                                                    float eps2) {
  const float u = rsqrtf(d.x * d.x + (d.y * d.y + (d.z * d.z + eps2))), u4 = (u * u) * (u * u);
  const float x = d.x * u, y = d.y * u, z = d.z * u;
  const MomentPull<float> pull = pull_of_third(a, b, -(a.x + a.w), x, y, z, u);
  const float along = (-7.0f / 3) * pull.inner;
  s[0] += u4 * (along * x + pull.across[0]);
  s[1] += u4 * (along * y + pull.across[1]);
  s[2] += u4 * (along * z + pull.across[2]);
}

/// The pull at `d` from the point.
__device__ float3 pull_of_series(const float* s, float3 d) {
  const float x = d.x, y = d.y, z = d.z, xx = x * x, yy = y * y, zz = z * z, xy = x * y, xz = x * z,
              yz = y * z;
  constexpr float sixth = 1.0f / 6;
  float3 a;
  a.x = s[0] + s[3] * x + s[4] * y + s[5] * z + 0.5f * (s[9] * xx + s[12] * yy + s[14] * zz) + s[10] * xy +
        s[11] * xz + s[13] * yz +
        sixth * (s[19] * xx * x + s[25] * yy * y + s[28] * zz * z +
                 3 * (s[20] * xx * y + s[21] * xx * z + s[22] * x * yy + s[24] * x * zz + s[26] * yy * z +
                      s[27] * y * zz) +
                 6 * s[23] * xy * z);
  a.y = s[1] + s[4] * x + s[6] * y + s[7] * z + 0.5f * (s[10] * xx + s[15] * yy + s[17] * zz) + s[12] * xy +
        s[13] * xz + s[16] * yz +
        sixth * (s[20] * xx * x + s[29] * yy * y + s[32] * zz * z +
                 3 * (s[22] * xx * y + s[23] * xx * z + s[25] * x * yy + s[27] * x * zz + s[30] * yy * z +
                      s[31] * y * zz) +
                 6 * s[26] * xy * z);
  a.z = s[2] + s[5] * x + s[7] * y + s[8] * z + 0.5f * (s[11] * xx + s[16] * yy + s[18] * zz) + s[13] * xy +
        s[14] * xz + s[17] * yz +
        sixth * (s[21] * xx * x + s[30] * yy * y + s[33] * zz * z +
                 3 * (s[23] * xx * y + s[24] * xx * z + s[26] * x * yy + s[28] * x * zz + s[31] * yy * z +
                      s[32] * y * zz) +
                 6 * s[27] * xy * z);
  return a;
}
