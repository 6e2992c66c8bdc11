// Half-precision numbers, two a word, and their products on tensor cores (PTX ISA, mma.m16n8k16).
typedef unsigned int word;

/// Rounded to the nearest.
__device__ __forceinline__ word pack_halves(float low, float high) {
  word packed;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(packed) : "f"(high), "f"(low));
  return packed;
}
/// The rounding remainders of two packed numbers, packed.
__device__ __forceinline__ word pack_rest(word packed, float low, float high) {
  float l, h;
  asm("{.reg .f16 a, b; mov.b32 {a, b}, %2; cvt.f32.f16 %0, a; cvt.f32.f16 %1, b;}"
      : "=f"(l), "=f"(h)
      : "r"(packed));
  return pack_halves(low - l, high - h);
}
/// A number as half precision has it.
__device__ __forceinline__ float to_half(float x) {
  float rounded;
  asm("{.reg .f16 h; cvt.rn.f16.f32 h, %1; cvt.f32.f16 %0, h;}" : "=f"(rounded) : "f"(x));
  return rounded;
}
/// d = a b + c: 16 x 16 times 16 x 8 half-precision numbers.
__device__ __forceinline__ void product_of_halves(float (&d)[4], const word (&a)[4], word b0, word b1,
                                                  const float (&c)[4]) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%10,%11,%12,%13};"
      : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1), "f"(c[0]), "f"(c[1]), "f"(c[2]),
        "f"(c[3]));
}
