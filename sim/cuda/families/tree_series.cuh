// The pull of far cells on a whole group, as one Taylor series of the potential about a point of the group:
// to the fourth order, with Plummer's softening. A cell comes with its second moments, up to the same order
// together (Dehnen 2014, Comput. Astrophys. 1, 1, section 2). Terms: first derivatives x y z, second xx xy xz
// yy yz zz, third xxx xxy xxz xyy xyz xzz yyy yyz yzz zzz, fourth in the same way.
#define SERIES_TERMS 34

/// Adds a cell at `d` from the point; moments are 3 x the second moments.
__device__ void add_to_series(float (&s)[SERIES_TERMS], float3 d, float mass, float4 q, float2 r,
                              float eps2) {
  const float x = d.x, y = d.y, z = d.z, xx = x * x, yy = y * y, zz = z * z, xy = x * y, xz = x * z,
              yz = y * z;
  const float u = rsqrtf(xx + yy + zz + eps2), u2 = u * u;
  const float g1 = -u * u2, g2 = -3 * g1 * u2, g3 = -5 * g2 * u2, g4 = -7 * g3 * u2;
  // Half of the second moments, with the place and by itself.
  constexpr float half = 1.0f / 6;
  const float sx = half * (q.x * x + q.y * y + q.z * z);
  const float sy = half * (q.y * x + q.w * y + r.x * z);
  const float sz = half * (q.z * x + r.x * y + r.y * z);
  const float rr = sx * x + sy * y + sz * z, trace = half * (q.x + q.w + r.y);
  const float along = mass * g1 + g3 * rr + g2 * trace;
  s[0] -= along * x + 2 * g2 * sx;
  s[1] -= along * y + 2 * g2 * sy;
  s[2] -= along * z + 2 * g2 * sz;
  const float outer = mass * g2 + g4 * rr + g3 * trace, own = mass * g1 + g3 * rr + g2 * trace;
  constexpr float third = 1.0f / 3;
  s[3] += outer * xx + own + 4 * g3 * x * sx + g2 * third * q.x;
  s[4] += outer * xy + 2 * g3 * (x * sy + y * sx) + g2 * third * q.y;
  s[5] += outer * xz + 2 * g3 * (x * sz + z * sx) + g2 * third * q.z;
  s[6] += outer * yy + own + 4 * g3 * y * sy + g2 * third * q.w;
  s[7] += outer * yz + 2 * g3 * (y * sz + z * sy) + g2 * third * r.x;
  s[8] += outer * zz + own + 4 * g3 * z * sz + g2 * third * r.y;
  const float m2 = mass * g2, m3 = mass * g3, m4 = mass * g4;
  s[9] -= x * (m3 * xx + 3 * m2);
  s[10] -= y * (m3 * xx + m2);
  s[11] -= z * (m3 * xx + m2);
  s[12] -= x * (m3 * yy + m2);
  s[13] -= m3 * xy * z;
  s[14] -= x * (m3 * zz + m2);
  s[15] -= y * (m3 * yy + 3 * m2);
  s[16] -= z * (m3 * yy + m2);
  s[17] -= y * (m3 * zz + m2);
  s[18] -= z * (m3 * zz + 3 * m2);
  s[19] += xx * (m4 * xx + 6 * m3) + 3 * m2;
  s[20] += xy * (m4 * xx + 3 * m3);
  s[21] += xz * (m4 * xx + 3 * m3);
  s[22] += m4 * xx * yy + m3 * (xx + yy) + m2;
  s[23] += yz * (m4 * xx + m3);
  s[24] += m4 * xx * zz + m3 * (xx + zz) + m2;
  s[25] += xy * (m4 * yy + 3 * m3);
  s[26] += xz * (m4 * yy + m3);
  s[27] += xy * (m4 * zz + m3);
  s[28] += xz * (m4 * zz + 3 * m3);
  s[29] += yy * (m4 * yy + 6 * m3) + 3 * m2;
  s[30] += yz * (m4 * yy + 3 * m3);
  s[31] += m4 * yy * zz + m3 * (yy + zz) + m2;
  s[32] += yz * (m4 * zz + 3 * m3);
  s[33] += zz * (m4 * zz + 6 * m3) + 3 * m2;
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
